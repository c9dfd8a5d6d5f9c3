"""The commands that work on a warehouse: `sql` and `serve`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from penstock.cli.scripts import Bootstrap, Credentials, Settings  # noqa: TC001 — typer reads them

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal, NoReturn

    from penstock.catalog.catalog import Overrides
    from penstock.plan.query import ScriptPlan

WarehouseDir = Annotated[
    Path,
    typer.Option("--warehouse", help="The folder of the tables at rest.", metavar="DIR"),
]
Master = Annotated[str, typer.Option(help="Spark master.", metavar="URL")]
_TEXT = "-e"


def sql(
    *,
    warehouse: WarehouseDir,
    execute: Annotated[
        str | None, typer.Option(_TEXT, "--execute", help="The statements.", metavar="TEXT")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("-f", "--file", help="A file of statements; `-` is stdin.", metavar="FILE"),
    ] = None,
    bootstrap: Bootstrap = None,
    settings: Settings = [],  # noqa: B006
    credentials: Credentials = None,
    master: Master = "local[*]",
) -> None:
    """Run ClickHouse statements on a warehouse; reading topics by views is left to `serve`."""
    from penstock.cli.render import Script, render_error
    from penstock.cli.source import STDIN, pairs_of
    from penstock.errors import PenstockError
    from penstock.plan.script import plan_script
    from penstock.sql.parse import parse

    text = _text(execute, file)
    given = tuple(pairs_of(settings, "--set").items())
    try:
        overrides = _overrides(warehouse, bootstrap, credentials)

        def planned() -> ScriptPlan:
            parsed = parse(text, "clickhouse")
            return plan_script(parsed, name="sql", overrides=overrides, settings=given, keeps=True)

        _run(planned, master, views="none")
    except PenstockError as error:
        script = Script(file.name if file and file != STDIN else "sql", text)
        sys.stderr.write("\n".join(render_error(e, script) for e in (error, *error.also)))
        sys.exit(error.exit_code)


def serve(
    *,
    warehouse: WarehouseDir,
    drain: Annotated[
        bool, typer.Option("--drain", help="Read what is there now, write it, end.")
    ] = False,
    bootstrap: Bootstrap = None,
    settings: Settings = [],  # noqa: B006
    credentials: Credentials = None,
    master: Master = "local[*]",
) -> None:
    """Run the materialized views of a warehouse, and follow what `sql` changes of them."""
    from penstock.cli.source import pairs_of

    given = tuple(pairs_of(settings, "--set").items())

    def planned() -> ScriptPlan:
        return plan_warehouse(warehouse, bootstrap, given, credentials)

    _run(planned, master, drain=drain, views="all")


def plan_warehouse(
    folder: Path,
    bootstrap: str | None,
    settings: tuple[tuple[str, str], ...],
    credentials: Path | None,
) -> ScriptPlan:
    """The views of a warehouse as one plan."""
    from penstock.catalog.warehouse import Warehouse
    from penstock.plan.clickhouse.serve import plan_views

    overrides = _overrides(folder, bootstrap, credentials)
    return plan_views(Warehouse(folder.absolute()), overrides, settings)


def _text(execute: str | None, file: Path | None) -> str:
    from penstock.cli.source import STDIN
    from penstock.errors import OptionError

    if (execute is None) == (file is None):
        raise typer.BadParameter(f"Give the statements by {_TEXT} or by -f, one of both.")
    if execute is not None:
        return execute
    assert file is not None  # noqa: S101 — one of both is there
    try:
        return sys.stdin.read() if file == STDIN else file.read_text(encoding="utf-8")
    except OSError as error:
        raise OptionError(
            "INVALID_ARGUMENT", argument=str(file), expected=f"Cannot read it: {error.strerror}."
        ) from error


def _overrides(warehouse: Path, bootstrap: str | None, credentials: Path | None) -> Overrides:
    from penstock.catalog.catalog import Overrides
    from penstock.errors import OptionError

    if warehouse.exists() and not warehouse.is_dir():
        expected = "A warehouse is a folder, and this is none."
        raise OptionError("INVALID_ARGUMENT", argument=str(warehouse), expected=expected)
    file = str(credentials) if credentials else None
    folder = str(warehouse.absolute())
    return Overrides(bootstrap, {}, (str(Path()),), credentials_file=file, warehouse=folder)


def _run(
    planned: Callable[[], ScriptPlan],
    master: str,
    *,
    views: Literal["all", "none"],
    drain: bool = False,
) -> NoReturn:
    from penstock.cli.fetch import fetch_jars
    from penstock.cli.run import catch_signals, end_at_once, watch
    from penstock.cli.run_steps import run_steps
    from penstock.cli.source import print_notes
    from penstock.runtime.state import JobFolder
    from penstock.spark.session import BackgroundSession

    plan = planned()
    print_notes(plan)
    assert plan.warehouse  # noqa: S101 — both commands name it
    stopping = catch_signals()
    fetch_jars("spark", "delta")
    with tempfile.TemporaryDirectory(prefix="penstock-sql-") as scratch:
        folder = JobFolder(plan.name, Path(scratch))
        # In a thread of its own: in the main one PySpark takes Ctrl-C over, and the views are not
        # stopped between two blocks.
        session = BackgroundSession(
            dict(plan.settings),
            master=master,
            app_name=plan.name,
            log_file=plan.warehouse.path / ("spark.log" if views == "all" else "sql.log"),
            delta=True,
        )
        run_steps(
            plan,
            session.get(),
            folder,
            drain=drain,
            views=views,
            stopping=stopping,
            watch=lambda job, view: watch(job, view, stopping),
            replan=planned,
        )
    end_at_once()
