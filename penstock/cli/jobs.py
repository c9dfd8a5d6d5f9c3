"""The commands about jobs that have been started: `status`, `reset`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

JobName = Annotated[
    str | None,
    typer.Argument(help="The job's name, or its script; all jobs if left out.", metavar="JOB"),
]
StateDir = Annotated[
    Path | None,
    typer.Option(help="Where jobs keep their state. [default: ./.penstock]", metavar="DIR"),
]


def status(
    job: JobName = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON document.")] = False,
    state_dir: StateDir = None,
    warehouse: Annotated[
        Path | None,
        typer.Option(help="The views of a warehouse instead of jobs.", metavar="DIR"),
    ] = None,
) -> None:
    """Show how jobs are doing, or how they ended: no Kafka, no Spark."""
    from penstock.cli.status import status_text, warehouse_text

    if warehouse:
        typer.echo(warehouse_text(warehouse, as_json=as_json))
        return
    typer.echo(status_text(job, state_dir, as_json=as_json))


def reset(
    job: Annotated[str, typer.Argument(help="The job's name, or its script.", metavar="JOB")],
    *,
    queries: Annotated[
        list[str], typer.Option("--query", help="Only this query of the job.", metavar="NAME")
    ] = [],  # noqa: B006
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    state_dir: StateDir = None,
) -> None:
    """Forget what a stopped job keeps: it begins anew, as if it never ran."""
    from penstock.cli.reset import reset_job

    reset_job(job, state_dir, queries, yes=yes)
