"""The process of the embedded broker: whether an id is still it, and how it is ended.

Called by `broker.py`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from penstock.kafka.broker_config import marker
from penstock.kafka.watchdog import STOP_TIMEOUT_S

# A process that got SIGKILL is gone at once, unless its disk hangs.
_KILL_TIMEOUT_S = 10.0

_POLL_S = 0.05


def is_broker(pid: int, folder: Path) -> bool:
    """Whether this process is this folder's broker; ids are given to others after a while."""
    return f" {marker(folder)} " in _command_line(pid)


def end(pid: int, folder: Path) -> bool:
    """Ask the broker to end, then make it; False if it is there all the same."""
    for how, limit_s in ((signal.SIGTERM, STOP_TIMEOUT_S), (signal.SIGKILL, _KILL_TIMEOUT_S)):
        if not is_broker(pid, folder):
            return True
        with suppress(ProcessLookupError):
            os.kill(pid, how)
        _await_end(pid, folder, limit_s=limit_s)
    return not is_broker(pid, folder)


def _await_end(pid: int, folder: Path, *, limit_s: float) -> None:
    deadline = time.monotonic() + limit_s
    while is_broker(pid, folder) and time.monotonic() < deadline:
        time.sleep(_POLL_S)


def _command_line(pid: int) -> str:
    """The arguments with a space around each; empty if the process has ended (a zombie has)."""
    if Path("/proc/self/cmdline").exists():
        try:
            return os.fsdecode(Path(f"/proc/{pid}/cmdline").read_bytes()).replace("\0", " ")
        except (FileNotFoundError, ProcessLookupError):
            return ""
    return _command_line_from_ps(pid)


def _command_line_from_ps(pid: int) -> str:
    command = ["ps", "-ww", "-o", "command=", "-p", str(pid)]
    listing = subprocess.run(command, capture_output=True, text=True)
    return f" {listing.stdout.strip()} "
