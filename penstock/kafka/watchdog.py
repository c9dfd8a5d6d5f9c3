"""The parent process of the embedded broker: ends it when the last process that owns it is gone.

Run as a program by `broker.py`, by its file name and with nothing but the standard library:
    watchdog.py DIRECTORY PORT JAVA ARGUMENT…
It detaches itself, starts the command, writes `broker.json`, and returns to its caller once that
file is there. `owners` lists the owning processes; without that file the broker lives until it is
stopped. The kernel reports deaths, also by SIGKILL, so nothing here depends on anyone's goodwill.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LOCK_FILE = "lock"
OWNERS_FILE = "owners"
STATE_FILE = "broker.json"

# Kafka closes its logs within a second or two; after this it is not going to.
STOP_TIMEOUT_S = 20.0

# How often to look where the kernel cannot report the end of a process.
_POLL_S = 0.5

_PR_SET_PDEATHSIG = 1


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Be the only process that starts or ends the broker of this folder."""
    with (directory / LOCK_FILE).open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def read_owners(directory: Path) -> tuple[int, ...] | None:
    """The processes the broker lives for; None: it lives until it is stopped."""
    try:
        return tuple(map(int, (directory / OWNERS_FILE).read_text().split()))
    except FileNotFoundError:
        return None


def write_atomically(path: Path, text: str) -> None:
    """Replace a small file so that a reader sees the old or the new content, never half."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.write_text(text)
    fresh.replace(path)


def main(arguments: Sequence[str]) -> int:
    """Detach, start the broker, watch until it has ended."""
    directory, port, *command = arguments
    started, say_started = os.pipe()
    if os.fork():
        os.close(say_started)
        return 0 if os.read(started, 1) else 1
    os.setsid()
    os.chdir(directory)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    broker = subprocess.Popen(command, preexec_fn=_die_with_parent)
    try:
        state = {"pid": broker.pid, "port": int(port), "started_at": time.time()}
        write_atomically(Path(STATE_FILE), json.dumps(state))
        os.write(say_started, b".")
        os.close(say_started)
        _watch(broker, Path(directory))
    finally:
        _end(broker)
    return 0


def _watch(broker: subprocess.Popen[bytes], directory: Path) -> None:
    while broker.poll() is None:
        # Under the lock: nobody may become an owner between this look and the end of the broker.
        with locked(directory):
            owners = read_owners(directory)
            living = [pid for pid in owners or () if not _ended([pid], timeout_s=0)]
            if owners is not None and not living:
                _end(broker)
                return
        _ended([broker.pid, *living[:1]], timeout_s=None)


def _end(broker: subprocess.Popen[bytes]) -> None:
    broker.terminate()
    try:
        broker.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        broker.kill()
        broker.wait()


def _die_with_parent() -> None:
    """Where the kernel can do it, not even the death of the watchdog leaves an orphan."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _ended(pids: Sequence[int], *, timeout_s: float | None) -> bool:
    """Wait until one of the processes has ended (a zombie has); False once the time is over."""
    try:
        if sys.platform == "darwin":
            return _ended_by_kqueue(pids, timeout_s)
        return _ended_by_pidfd(pids, timeout_s)
    except ProcessLookupError:
        return True
    except (AttributeError, OSError):
        return _ended_by_polling(pids, timeout_s)


def _ended_by_pidfd(pids: Sequence[int], timeout_s: float | None) -> bool:
    descriptors: list[int] = []
    try:
        for pid in pids:
            descriptors.append(os.pidfd_open(pid))
        return bool(select.select(descriptors, [], [], timeout_s)[0])
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def _ended_by_kqueue(pids: Sequence[int], timeout_s: float | None) -> bool:
    if sys.platform != "darwin":
        raise OSError("no kqueue")
    queue = select.kqueue()
    try:
        flags = select.KQ_EV_ADD | select.KQ_EV_ONESHOT
        changes = [
            select.kevent(pid, select.KQ_FILTER_PROC, flags, select.KQ_NOTE_EXIT) for pid in pids
        ]
        return bool(queue.control(changes, len(changes), timeout_s))
    finally:
        queue.close()


def _ended_by_polling(pids: Sequence[int], timeout_s: float | None) -> bool:
    """Look once, after a pause if there is time; the caller looks again."""
    time.sleep(_POLL_S if timeout_s is None else min(timeout_s, _POLL_S))
    return not all(map(_exists, pids))


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
