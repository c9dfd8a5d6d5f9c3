"""`penstock status`: what jobs said last, read from their folders; no Spark, no Kafka."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.catalog.warehouse import Warehouse
from penstock.cli.source import Arguments, plan_of
from penstock.cli.view import left_out
from penstock.errors import OptionError
from penstock.plan.clickhouse.serve import VIEWS_JOB
from penstock.runtime.state import JobFolder, default_state_dir
from penstock.runtime.status import JobStatus, idle_status, read_status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.runtime.operator_state import OperatorState
    from penstock.runtime.status import QueryStatus
    from penstock.runtime.traffic import TableTraffic

_HEADINGS = ("table", "rows in", "rows/s", "bytes in/s", "rows out", "rows/s", "bytes out/s")


def status_text(job: str | None, state_dir: Path | None, *, as_json: bool) -> str:
    """One job, by its name or script, or all of the state directory."""
    if job is not None:
        found = _one(job, state_dir)
        return json.dumps(found.as_json(), indent=2) if as_json else _text(found)
    folder = _state_dir(state_dir)
    jobs = [status for _, status in sorted(_all(folder), key=lambda one: one[0])]
    if as_json:
        return json.dumps([one.as_json() for one in jobs], indent=2)
    return "\n\n".join(map(_text, jobs)) or f"No job has run in {folder}."


def warehouse_text(warehouse: Path, *, as_json: bool) -> str:
    """The views of a warehouse: those that are run, with their lag, and why others are not."""
    found = _served(warehouse.absolute())
    return json.dumps(found.as_json(), indent=2) if as_json else _text(found)


def _served(folder: Path) -> JobStatus:
    """What who runs the views says; views that it does not know of are only defined."""
    definitions = Warehouse(folder).read().objects
    views = [one for one in definitions if one.kind == "materialized view"]
    found = read_status(folder)
    if found is None:
        if not definitions:
            raise OptionError("UNKNOWN_WAREHOUSE", folder=folder)
        found = JobStatus(VIEWS_JOB, "never run", 0, "", "", False, None, ())
    known = {one.query: one for one in found.queries}
    idle = {v.name: "detached" if v.detached else "nobody runs it" for v in views}
    told = (
        known.get(name) or idle_status(name, "waiting", why, None) for name, why in idle.items()
    )
    return replace(found, queries=tuple(told))


def folder_of(job: str, state_dir: Path | None) -> JobFolder:
    """The folder of a job that has run, by its name or script."""
    script = Path(job)
    if script.is_file():
        plan = plan_of(Arguments(script))
        beside = _state_dir(state_dir) if state_dir else default_state_dir(script)
        found = JobFolder.of_plan(plan, beside)
    else:
        found = JobFolder.of(job, _state_dir(state_dir))
    if not found.path.is_dir():
        raise _unknown(job, found)
    return found


def _state_dir(given: Path | None) -> Path:
    return (given or default_state_dir(None)).absolute()


def _one(job: str, state_dir: Path | None) -> JobStatus:
    folder = folder_of(job, state_dir)
    found = read_status(folder.path)
    if found is None:
        raise _unknown(job, folder)
    return found


def _unknown(job: str, folder: JobFolder) -> OptionError:
    state_dir = folder.path.parent
    names = ", ".join(f"'{name}'" for name in sorted(name for name, _ in _all(state_dir)))
    return OptionError("UNKNOWN_JOB", job=job, folder=state_dir, known=names or "none")


def _all(folder: Path) -> Iterator[tuple[str, JobStatus]]:
    for path in folder.iterdir() if folder.is_dir() else ():
        if found := read_status(path):
            yield found.job, found


def _text(found: JobStatus) -> str:
    lines = [f"{found.job}: {found.state}"]
    if found.started_at:
        lines[0] += f", process {found.pid}, started {_moment(found.started_at)}"
    if found.state == "running":
        lines[0] += f", seen {_seconds_since(found.updated_at):.0f} s ago"
    elif found.started_at:
        lines[0] += f", last seen {_moment(found.updated_at)}"
    if found.error:
        lines.append(f"  error[{found.error[0]}] {found.error[1]}")
    return "\n".join([*lines, *(line for query in found.queries for line in _query(query))])


def _query(query: QueryStatus) -> Iterator[str]:
    yield ", ".join(
        filter(None, (f"  {query.query}: {query.state}", query.runs_as, query.guarantee))
    )
    if query.note:
        yield f"    {query.note}"
    if query.state in ("waiting", "failing"):
        return
    rows = f"{query.rows_in:,} rows in ({query.rows_in_per_s:,.0f}/s)"
    if query.rows_out is not None:
        rows += f", {query.rows_out:,} out ({query.rows_out_per_s:,.0f}/s)"
    if query.lag is not None:
        rows += f", lag {query.lag:,}"
    yield f"    {rows}, {query.batches:,} batches"
    behind = [one for one in query.partitions if one.end > one.read]
    if behind:
        lags = (f"{one.topic}/{one.partition} {one.end - one.read:,}" for one in behind)
        yield f"    lag by partition: {', '.join(lags)}"
    if query.operators:
        yield f"    {query.state_rows:,} rows of state"
    for operator in query.operators:
        yield f"      {operator.operator}: {state_text(operator)}"
    if query.watermark:
        yield f"    watermark {query.watermark}"
    for table, place in query.held_by.items():
        yield f"    watermark of {table} held back by {place}"
    if query.groups:
        yield f"    offsets committed to group {', '.join(query.groups)}"
    for one in query.tables:
        for count, what in left_out(one):
            yield f"    {count:,} messages of {one.table} {what}"
    yield from _tables(query.tables)


def state_text(state: OperatorState) -> str:
    """How much an operator keeps."""
    disk, memory = (f"{size / 1e6:,.1f} MB" for size in (state.disk_bytes, state.memory_bytes))
    return f"{state.rows:,} rows, {disk} on disk, {memory} in memory"


def _tables(tables: tuple[TableTraffic, ...]) -> list[str]:
    if not tables:
        return []
    rows = [_HEADINGS, *(_cells(table) for table in tables)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEADINGS))]
    return [
        "    " + "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])
        for row in rows
    ]


def _cells(table: TableTraffic) -> tuple[str, ...]:
    numbers = (
        table.rows_in,
        table.rows_in_per_s,
        table.bytes_in_per_s,
        table.rows_out,
        table.rows_out_per_s,
        table.bytes_out_per_s,
    )
    return (table.table, *(f"{number:,.0f}" for number in numbers))


def _moment(text: str) -> str:
    return datetime.fromisoformat(text).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def _seconds_since(text: str) -> float:
    return (datetime.now(timezone.utc) - datetime.fromisoformat(text)).total_seconds()
