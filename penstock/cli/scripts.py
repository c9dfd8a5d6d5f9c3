"""The commands that take a script: `run`, `check`, `explain`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ScriptPath = Annotated[
    Path, typer.Argument(help="The SQL script; `-` reads it from stdin.", metavar="JOB.sql")
]
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
    typer.Option(
        "--bind",
        help="Replace a table by a file of JSON lines, or a Delta table.",
        metavar="TABLE=FILE",
    ),
]
Credentials = Annotated[
    Path | None,
    typer.Option(
        help="The named credentials of Kafka tables. [default: $PENSTOCK_CREDENTIALS, else "
        "~/.config/penstock/credentials.ini]",
        metavar="FILE",
    ),
]
Dialect = Annotated[
    str | None,
    typer.Option(help="flink, blink or clickhouse; else the script tells.", metavar="NAME"),
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
    dialect: Dialect = None,
    credentials: Credentials = None,
    master: Annotated[str, typer.Option(help="Spark master.", metavar="URL")] = "local[*]",
) -> None:
    """Run a script until it is stopped, or until everything is read (--drain)."""
    from penstock.cli.run import RunOptions, run_script
    from penstock.cli.source import arguments_of

    arguments = arguments_of(
        script,
        settings,
        variables,
        bindings,
        bootstrap=bootstrap,
        dialect=dialect,
        credentials=credentials,
    )
    raise typer.Exit(run_script(arguments, RunOptions(embedded, drain, master)))


def check(
    script: ScriptPath,
    *,
    bootstrap: Bootstrap = None,
    settings: Settings = [],  # noqa: B006
    variables: Variables = [],  # noqa: B006
    bindings: Bindings = [],  # noqa: B006
    dialect: Dialect = None,
    credentials: Credentials = None,
) -> None:
    """Check a script: no Kafka, no Spark; errors with line and column."""
    from penstock.cli.source import arguments_of, located_errors, plan_of, print_notes
    from penstock.plan.engine import require_runnable

    arguments = arguments_of(
        script,
        settings,
        variables,
        bindings,
        bootstrap=bootstrap,
        dialect=dialect,
        credentials=credentials,
    )
    with located_errors(arguments):
        plan = plan_of(arguments)
        require_runnable(plan.queries)
    print_notes(plan)
    tables, queries = len(plan.tables), len(plan.queries)
    typer.echo(
        f"{arguments.shown_name}: fine ({tables} table{'s' * (tables != 1)}, "
        f"{queries} quer{'ies' if queries != 1 else 'y'})"
    )


def explain(
    script: ScriptPath,
    *,
    bootstrap: Bootstrap = None,
    settings: Settings = [],  # noqa: B006
    variables: Variables = [],  # noqa: B006
    bindings: Bindings = [],  # noqa: B006
    dialect: Dialect = None,
    credentials: Credentials = None,
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON document.")] = False,
    as_dot: Annotated[bool, typer.Option("--dot", help="As a graph for Graphviz.")] = False,
    as_mermaid: Annotated[bool, typer.Option("--mermaid", help="As a Mermaid chart.")] = False,
) -> None:
    """Show what a script, or the views of a warehouse, will do and how: no Kafka, no Spark."""
    from penstock.cli.source import arguments_of, located_errors, pairs_of, plan_of, print_notes
    from penstock.cli.warehouse import plan_warehouse
    from penstock.plan.explain import explain as explain_text
    from penstock.plan.explain_graph import explain_dot, explain_json, explain_mermaid

    forms = {explain_json: as_json, explain_dot: as_dot, explain_mermaid: as_mermaid}
    chosen = [form for form, wanted in forms.items() if wanted] or [explain_text]
    if len(chosen) > 1:
        raise typer.BadParameter("--json, --dot and --mermaid exclude each other.")
    if script.is_dir():
        given = tuple(pairs_of(settings, "--set").items())
        plan = plan_warehouse(script, bootstrap, given, credentials)
        print_notes(plan)
        typer.echo(chosen[0](plan))
        return
    arguments = arguments_of(
        script,
        settings,
        variables,
        bindings,
        bootstrap=bootstrap,
        dialect=dialect,
        credentials=credentials,
    )
    with located_errors(arguments):
        plan = plan_of(arguments)
    print_notes(plan)
    typer.echo(chosen[0](plan))
