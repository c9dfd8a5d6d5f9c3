"""What jobs keep between runs, and how it is forgotten: so that a query begins as if it never ran.

Only what the job keeps for itself goes. Topics and files that it wrote stay, and so do its dead
letters and the offsets that it told to consumer groups.
"""

from __future__ import annotations

import shutil
import uuid
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from penstock.runtime.status import FILE, read_status, write_status

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from penstock.runtime.operator_state import OperatorState
    from penstock.runtime.state import JobFolder

_FORGOTTEN = "forgotten"
# By it a new run ends the transactions that an old one left open, so that no reader waits for them.
_STAYS = "kafka-sink.json"


@dataclass(frozen=True, slots=True)
class Kept:
    """What one query keeps: how far it has read, and the state that it told of last."""

    query: str
    read: tuple[tuple[str, dict[int, int]], ...]
    operators: tuple[OperatorState, ...]
    groups: tuple[str, ...]
    files: int
    bytes: int


def kept_queries(folder: JobFolder) -> tuple[Kept, ...]:
    """The queries of a job that keep something, those too that its script has no longer."""
    status = read_status(folder.path)
    told = {one.query: one for one in status.queries} if status else {}
    found = []
    for query in folder.query_ids():
        sizes = [file.stat().st_size for file in _files(folder.query(query))]
        if sizes:
            last = told.get(query)
            operators, groups = (last.operators, last.groups) if last else ((), ())
            read = tuple(folder.last_offsets(query))
            found.append(Kept(query, read, operators, groups, len(sizes), sum(sizes)))
    return tuple(found)


def forget(folder: JobFolder, queries: Collection[str]) -> None:
    """Forget what queries keep; the caller holds the lock of the job.

    A folder is first moved aside as a whole: a checkpoint of which a part is gone is none.
    """
    aside = folder.path / _FORGOTTEN
    aside.mkdir(exist_ok=True)
    for query in queries:
        place = folder.query(query)
        moved = place.rename(aside / uuid.uuid4().hex)
        if (moved / _STAYS).exists():
            place.mkdir()
            (moved / _STAYS).rename(place / _STAYS)
    _forget_status(folder, queries)
    shutil.rmtree(aside)


def _forget_status(folder: JobFolder, queries: Collection[str]) -> None:
    status = read_status(folder.path)
    if status is None:
        return
    left = tuple(one for one in status.queries if one.query not in queries)
    if left:
        write_status(folder.path, replace(status, queries=left))
    else:
        (folder.path / FILE).unlink()


def _files(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file() and file.name != _STAYS]
