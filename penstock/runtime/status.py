"""What a job tells others while it runs, and what is left when it has ended: `status.json`.

The running job writes it about once a second; `penstock status` reads it from any process.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from penstock.jars.processes import is_alive
from penstock.runtime.operator_state import OperatorState
from penstock.runtime.progress import PartitionLag, Progress
from penstock.runtime.traffic import TableTraffic
from penstock.spark.kept import keep

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from penstock.errors import PenstockError
    from penstock.plan.query import Query

FILE = "status.json"
RUNNING = "running"


@dataclass(frozen=True, slots=True)
class QueryStatus:
    """One query: its state is `running`, `finished`, `stopped`, `failed` or `killed`.

    A view of a warehouse may be `waiting` or `failing`, too; `note` says why.
    """

    query: str
    state: str
    runs_as: str
    guarantee: str
    groups: tuple[str, ...]
    rows_in: int
    rows_out: int | None
    rows_in_per_s: float
    rows_out_per_s: float
    lag: int | None
    batches: int
    state_rows: int
    operators: tuple[OperatorState, ...]
    watermark: str | None
    held_by: Mapping[str, str]
    tables: tuple[TableTraffic, ...]
    partitions: tuple[PartitionLag, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class JobStatus:
    """A job; `error` is the code and the text of what it failed with."""

    job: str
    state: str
    pid: int
    started_at: str
    updated_at: str
    resumed: bool
    error: tuple[str, str] | None
    queries: tuple[QueryStatus, ...]

    def as_json(self) -> dict[str, Any]:
        """As `--json` prints it."""
        shown = asdict(self)
        shown["error"] = (
            dict(zip(("code", "text"), self.error, strict=True)) if self.error else None
        )
        return shown


def query_status(
    progress: Progress,
    *,
    state: str,
    runs_as: str,
    guarantee: str,
    groups: tuple[str, ...],
    note: str = "",
) -> QueryStatus:
    """A query's progress with what its plan says of it."""
    shared = {f.name: getattr(progress, f.name) for f in fields(progress) if f.name != "held_by"}
    return QueryStatus(
        state=state,
        runs_as=runs_as,
        guarantee=guarantee,
        groups=groups,
        note=note,
        held_by=dict(progress.held_by),
        **shared,
    )


def idle_status(name: str, state: str, note: str, query: Query | None) -> QueryStatus:
    """A view that does not run, and why."""
    return query_status(
        Progress(name),
        state=state,
        runs_as=query.execution.value if query else "",
        guarantee=query.spec.target.guarantee if query else "",
        groups=(),
        note=note,
    )


def now() -> str:
    """This moment, in UTC."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")


def error_of(error: PenstockError | None) -> tuple[str, str] | None:
    """What is kept of an error."""
    return (error.code, str(error)) if error else None


def write_status(folder: Path, status: JobStatus) -> None:
    """Replace what was said before; a reader sees the one or the other, never half."""
    keep(folder / FILE, status.as_json())


def read_status(folder: Path) -> JobStatus | None:
    """What the job in a folder said last, None if it never ran; a process that is gone is told."""
    try:
        found = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    if found["state"] == RUNNING and not is_alive(found["pid"]):
        found["state"] = "killed"
        for query in found["queries"]:
            query["state"] = "killed"
    try:
        return _job(found)
    except (KeyError, TypeError):
        # Another version wrote it: the next run says it anew.
        return None


def _job(found: dict[str, Any]) -> JobStatus:
    error = found["error"]
    return JobStatus(
        **{
            **found,
            "error": (error["code"], error["text"]) if error else None,
            "queries": tuple(map(_query, found["queries"])),
        }
    )


def _query(found: dict[str, Any]) -> QueryStatus:
    parts = {
        "groups": tuple(found["groups"]),
        "operators": tuple(OperatorState(**one) for one in found["operators"]),
        "tables": tuple(TableTraffic(**table) for table in found["tables"]),
        "partitions": tuple(PartitionLag(**one) for one in found.get("partitions", ())),
    }
    return QueryStatus(**{**found, **parts})
