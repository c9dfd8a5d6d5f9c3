"""The commands that take a script: `run`, `check`, `explain`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ScriptPath = Annotated[Path, typer.Argument(help="The SQL script.", metavar="JOB.sql")]
Bootstrap = Annotated[
    str | None,
    typer.Option(help="Brokers for every Kafka table of the script.", metavar="HOST:PORT"),
]
Embedded = Annotated[bool, typer.Option("--embedded", help="Use the broker that comes along.")]
Settings = Annotated[
    list[str], typer.Option("--set", help="As SET 'K' = 'V' in the script.", metavar="K=V")
]
Variables = Annotated[
    list[str], typer.Option("--var", help="Fills ${NAME} in the script.", metavar="NAME=VALUE")
]
Bindings = Annotated[
    list[str],
    typer.Option("--bind", help="Replace a table by a file of JSON lines.", metavar="TABLE=FILE"),
]


def run(
    script: ScriptPath,
    *,
    bootstrap: Bootstrap = None,
    embedded: Embedded = False,
    drain: Annotated[
        bool, typer.Option("--drain", help="Read what is there now, write it, end.")
    ] = False,
    settings: Settings = [],  # noqa: B006
    variables: Variables = [],  # noqa: B006
    bindings: Bindings = [],  # noqa: B006
    master: Annotated[str, typer.Option(help="Spark master.", metavar="URL")] = "local[*]",
) -> None:
    """Run a script until it is stopped, or until everything is read (--drain)."""
    from penstock.cli.run import RunOptions, run_script
    from penstock.cli.source import arguments_of

    arguments = arguments_of(script, settings, variables, bindings, bootstrap=bootstrap)
    raise typer.Exit(run_script(arguments, RunOptions(embedded, drain, master)))


def check(
    script: ScriptPath,
    *,
    bootstrap: Bootstrap = None,
    settings: Settings = [],  # noqa: B006
    variables: Variables = [],  # noqa: B006
    bindings: Bindings = [],  # noqa: B006
) -> None:
    """Check a script: no Kafka, no Spark; errors with line and column."""
    from penstock.cli.source import arguments_of, located_errors, note_settings, plan_of

    arguments = arguments_of(script, settings, variables, bindings, bootstrap=bootstrap)
    with located_errors(arguments):
        plan = plan_of(arguments)
    note_settings(plan)
    tables, queries = len(plan.tables), len(plan.queries)
    typer.echo(
        f"{script.name}: fine ({tables} table{'s' * (tables != 1)}, "
        f"{queries} quer{'ies' if queries != 1 else 'y'})"
    )


def explain(
    script: ScriptPath,
    *,
    bootstrap: Bootstrap = None,
    settings: Settings = [],  # noqa: B006
    variables: Variables = [],  # noqa: B006
    bindings: Bindings = [],  # noqa: B006
) -> None:
    """Show what a script will do and how each query will run: no Kafka, no Spark."""
    from penstock.cli.source import arguments_of, located_errors, plan_of
    from penstock.plan.explain import explain as explain_plan

    arguments = arguments_of(script, settings, variables, bindings, bootstrap=bootstrap)
    with located_errors(arguments):
        plan = plan_of(arguments)
    typer.echo(explain_plan(plan))
