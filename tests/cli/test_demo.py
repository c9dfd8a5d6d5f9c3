"""`penstock demo` as a process, piped: it ends by itself, with results, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

_LIMIT_S = 180


@pytest.mark.kafka
def test_the_demo_runs_and_ends(tmp_path: Path) -> None:
    environment = {**os.environ, "PENSTOCK_BROKER_DIR": str(tmp_path / "broker")}
    done = subprocess.run(
        [sys.executable, "-m", "penstock", "demo", "--seconds", "12"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=_LIMIT_S,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("-- What sells")
    sent, read, rows = re.search(
        r"Done: ([\d,]+) events in, ([\d,]+) read .*? (\d+) result rows", done.stdout, re.DOTALL
    ).groups()  # type: ignore[union-attr]
    assert sent == read
    assert int(rows) > 0
    assert max(len(line) for line in done.stdout.splitlines()) <= 80
    status = [sys.executable, "-m", "penstock", "broker", "status"]
    assert subprocess.run(status, env=environment, capture_output=True).returncode == 1
