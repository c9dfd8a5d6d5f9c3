"""`penstock reset`: says what a job keeps, asks, and forgets it; no Spark, no Kafka."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from penstock.cli.status import folder_of, state_text
from penstock.errors import OptionError, RunError
from penstock.runtime.reset import forget, kept_queries

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from penstock.runtime.reset import Kept
    from penstock.runtime.state import JobFolder, JobLock

_AFTERWARDS = (
    "Topics and files that the job wrote stay, and so do dead letters. The next run begins where\n"
    "'scan.startup.mode' says: rows that were written before are written again."
)


def reset_job(job: str, state_dir: Path | None, queries: Sequence[str], *, yes: bool) -> None:
    """Forget what a job keeps, or some queries of it."""
    folder = folder_of(job, state_dir)
    lock = _lock(folder)
    try:
        kept = _chosen(folder, queries)
        if not kept:
            typer.echo(f"The job '{folder.job}' keeps nothing.")
            return
        typer.echo("\n".join(_said(folder.job, kept)))
        if yes or typer.confirm("Forget this?"):
            forget(folder, [one.query for one in kept])
            typer.echo(f"Forgotten: {', '.join(one.query for one in kept)}.")
    finally:
        lock.release()


def _lock(folder: JobFolder) -> JobLock:
    try:
        return folder.lock()
    except RunError as error:
        if error.code != "JOB_ALREADY_RUNNING":
            raise
        pid = error.facts["pid"]
        raise RunError("RESET_WHILE_RUNNING", job=folder.job, pid=pid) from error


def _chosen(folder: JobFolder, queries: Sequence[str]) -> list[Kept]:
    kept = {one.query: one for one in kept_queries(folder)}
    for query in queries:
        if query not in kept:
            known = ", ".join(f"'{name}'" for name in kept) or "none"
            raise OptionError("UNKNOWN_QUERY", query=query, job=folder.job, known=known)
    return [kept[query] for query in queries or kept]


def _said(job: str, kept: Sequence[Kept]) -> Iterator[str]:
    yield f"What the job '{job}' keeps, and would forget:"
    for one in kept:
        yield f"  {one.query}: {one.files:,} files, {one.bytes / 1e6:,.1f} MB"
        for topic, partitions in one.read:
            places = ", ".join(f"{p} to {offset:,}" for p, offset in sorted(partitions.items()))
            yield f"    has read topic '{topic}', partition {places}"
        for operator in one.operators:
            yield f"    {operator.operator}: {state_text(operator)}"
    yield _AFTERWARDS
    if groups := sorted({group for one in kept for group in one.groups}):
        yield (
            f"Offsets that were committed to group {', '.join(groups)} are Kafka's and stay: a "
            "table with\n'scan.startup.mode' = 'group-offsets' goes on from them."
        )
