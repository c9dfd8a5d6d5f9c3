"""The lock of a job: one run at a time, and none beside a process that an earlier one left."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from penstock.errors import RunError
from penstock.runtime import state
from penstock.runtime.state import JobFolder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_WAITS = [sys.executable, "-c", "input()"]


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    """A process that lives until it is killed."""
    process = subprocess.Popen(_WAITS, stdin=subprocess.PIPE)
    yield process
    process.kill()
    process.communicate()


@pytest.fixture
def left_behind(tmp_path: Path, child: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
    """What works for a run that was killed: it outlives the lock."""
    lock = JobFolder("job", tmp_path).lock()
    lock.held_with(child.pid)
    lock._file.close()
    _, *others = (tmp_path / "lock").read_text().splitlines()
    (tmp_path / "lock").write_text("\n".join(["1", *others]))
    return child


def test_a_lock_that_is_held_names_its_holder(tmp_path: Path) -> None:
    held = JobFolder("job", tmp_path).lock()
    with pytest.raises(RunError, match=r"The job 'job' is running already \(process \d+\)"):
        JobFolder("job", tmp_path).lock()
    held.release()
    JobFolder("job", tmp_path).lock().release()


def test_the_process_of_a_killed_run_is_waited_for(
    tmp_path: Path, left_behind: subprocess.Popen[bytes]
) -> None:
    ending = threading.Timer(0.3, left_behind.kill)
    ending.start()
    JobFolder("job", tmp_path).lock().release()
    assert ending.finished.is_set()


def test_one_that_does_not_end_is_named(
    tmp_path: Path, left_behind: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "_JVM_END_S", 0.1)
    with pytest.raises(RunError, match=f"process {left_behind.pid}"):
        JobFolder("job", tmp_path).lock()


def test_what_this_process_left_is_not_waited_for(
    tmp_path: Path, child: subprocess.Popen[bytes]
) -> None:
    lock = JobFolder("job", tmp_path).lock()
    lock.held_with(child.pid)
    lock._file.close()
    began = time.monotonic()
    JobFolder("job", tmp_path).lock().release()
    assert time.monotonic() - began < state._JVM_END_S


@pytest.mark.parametrize("left", ["", "1", "1\n", "1\nwords", "1\n999999999 5"])
def test_whatever_stands_in_the_file_a_free_lock_is_taken(tmp_path: Path, left: str) -> None:
    (tmp_path / "lock").write_text(left)
    JobFolder("job", tmp_path).lock().release()


def test_another_process_with_the_same_number_is_not_waited_for(
    tmp_path: Path, child: subprocess.Popen[bytes]
) -> None:
    (tmp_path / "lock").write_text(f"1\n{child.pid} 12")
    began = time.monotonic()
    JobFolder("job", tmp_path).lock().release()
    assert time.monotonic() - began < state._JVM_END_S
