"""Whether a process is still there, asked by its number; and whether it is the same one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def is_alive(pid: int) -> bool:
    """Whether it runs; one that ended but that nobody asked about yet (a zombie) does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        return _stat(pid)[0] != "Z"
    except OSError:
        return True


def identity(pid: int) -> str:
    """The number with the moment the process began: a number alone is given again."""
    if Path("/proc/self/stat").exists():
        began = _stat(pid)[19]
    else:
        command = ["ps", "-o", "lstart=", "-p", str(pid)]
        began = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    return f"{pid} {began}"


def is_same(known: str) -> bool:
    """Whether the process with this identity still runs."""
    number = known.partition(" ")[0]
    try:
        return number.isdigit() and is_alive(int(number)) and identity(int(number)) == known
    except OSError:
        # It ended meanwhile.
        return False


def _stat(pid: int) -> list[str]:
    """What Linux says of a process, from its state on; no other system has the file."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
