"""`penstock demo` as a process, piped: it ends by itself, with results, and leaves nothing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from penstock.kafka.broker import status
from tests.helpers import wait_until

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
    summary = " ".join(done.stdout.split())
    assert re.search(r"Done: [1-9][\d,]* events in, [1-9][\d,]* read by Spark", summary)
    assert re.search(r" [1-9]\d* result rows in topic demo_sales", summary)
    assert max(len(line) for line in done.stdout.splitlines()) <= 80
    wait_until(lambda: status(tmp_path / "broker") is None)
