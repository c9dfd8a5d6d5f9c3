"""`penstock serve` as a process: Ctrl-C stops it between two blocks."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.spark

_LIMIT_S = 180


def test_ctrl_c_is_a_clean_stop(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "penstock", "serve", "--warehouse", str(tmp_path / "w")],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr
    for line in process.stderr:
        if "running until stopped" in line:
            break
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=_LIMIT_S)
    assert process.returncode == 0, said
    assert "warehouse: stopped after" in said


def test_a_warehouse_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "w").write_text("")
    command = [sys.executable, "-m", "penstock", "sql", "--warehouse", str(tmp_path / "w")]
    done = subprocess.run(
        [*command, "-e", "SELECT 1"], stderr=subprocess.PIPE, text=True, timeout=_LIMIT_S
    )
    assert done.returncode == 2
    assert "INVALID_ARGUMENT" in done.stderr
