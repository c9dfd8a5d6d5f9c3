"""State that is larger than the memory it may have: slow, `make test-slow`."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from penstock.runtime.operator_state import OperatorState
from penstock.runtime.state import JobFolder
from penstock.runtime.status import read_status
from tests.helpers import wait_until

pytestmark = [pytest.mark.spark, pytest.mark.slow]

KEYS = 5_000_000
MOST_BYTES = 4 * 1024**3
LIMIT_S = 3600
SCRIPT = """
SET 'spark.driver.memory' = '2g';
SET 'penstock.state.memory' = '512 mb';
{settings}
CREATE TABLE events (id BIGINT, n INT) WITH (
  'connector' = 'datagen', 'rows-per-second' = '50000');
CREATE TABLE counts (id BIGINT, times BIGINT, most INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'blackhole');
INSERT INTO counts SELECT id, COUNT(*), MAX(n) FROM events GROUP BY id;
"""


@pytest.mark.parametrize(
    "settings", ["", "SET 'table.exec.state.ttl' = '1 d';"], ids=["spark", "engine"]
)
def test_millions_of_keys_fit_into_a_process_of_four_gigabytes(
    settings: str, tmp_path: Path
) -> None:
    script = tmp_path / "large.sql"
    script.write_text(SCRIPT.format(settings=settings))
    folder = JobFolder.of("large", tmp_path / ".penstock")
    with (tmp_path / "out.txt").open("wb") as said:
        command = [sys.executable, "-m", "penstock", "run", str(script)]
        process = subprocess.Popen(command, stdout=said, stderr=said)
    try:
        began = time.monotonic()
        wait_until(lambda: _state(folder).rows >= KEYS, timeout_s=LIMIT_S)
        seconds = time.monotonic() - began
        most = _peak_bytes(folder)
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT_S) == 0
    finally:
        process.kill()
    print(f"{seconds:,.0f} s, at most {most / 1e9:.2f} GB, {_state(folder)}")
    assert most < MOST_BYTES


def _state(folder: JobFolder) -> OperatorState:
    status = read_status(folder.path)
    found = status.queries[0].operators if status and status.queries else ()
    return found[0] if found else OperatorState("")


def _peak_bytes(folder: JobFolder) -> int:
    """The most memory that Java's process has had, its heap and all else."""
    _, java = (folder.path / "lock").read_text().splitlines()
    facts = Path(f"/proc/{java.split()[0]}/status").read_text()
    peak = next(line for line in facts.splitlines() if line.startswith("VmHWM:"))
    return int(peak.split()[1]) * 1024
