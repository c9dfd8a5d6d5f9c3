"""Why the embedded broker did not start: the telling line of its log.

Called by `broker.py` when the broker's process ends, or does not answer, while it is started.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.kafka.broker_config import CONSOLE_FILE, LOG_FILE

if TYPE_CHECKING:
    from pathlib import Path

_ENTRY = re.compile(r"^\[\d{4}-\d\d-\d\d [^\]]*\] (?P<level>[A-Z]+) (?P<text>.*?)(?: \(\S+\))?$")

# Enough for the last stack trace of a broker that failed.
_TAIL_BYTES = 64 * 1024


def log_size(directory: Path) -> int:
    """Where the entries of the next run will begin."""
    log = directory / LOG_FILE
    return log.stat().st_size if log.exists() else 0


def last_problem(directory: Path, *, since: int) -> str:
    """The last error of the log after that position, else the last words on the console."""
    entries = _tail(directory / LOG_FILE, since=since)
    if problem := _last_error(entries):
        return problem
    console = [line for line in _tail(directory / CONSOLE_FILE, since=0) if line.strip()]
    words = [line for line in console if not line.startswith(("\t", "SLF4J:"))]
    return words[-1].strip() if words else "its process ended without a word."


def _tail(file: Path, *, since: int) -> list[str]:
    if not file.exists():
        return []
    size = file.stat().st_size
    with file.open("rb") as content:
        content.seek(max(since if since <= size else 0, size - _TAIL_BYTES))
        return content.read().decode(errors="replace").splitlines()


def _last_error(lines: list[str]) -> str | None:
    """The text of the last ERROR or FATAL entry, with the exception that follows it."""
    problem = None
    in_error = False
    for line in lines:
        entry = _ENTRY.match(line)
        if entry:
            in_error = entry["level"] in ("ERROR", "FATAL")
            problem = entry["text"] if in_error else problem
        elif in_error and problem and not line.startswith("\t"):
            problem = f"{problem.rstrip('.:')}: {line.removeprefix('Caused by: ')}"
    return problem
