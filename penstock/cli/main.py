"""The `penstock` command: its subcommands, and how an error leaves it.

Only typer is imported here; each command imports what it needs when it runs, so `--help` is quick.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from penstock.cli import jobs, scripts, warehouse
from penstock.cli.broker import broker_app
from penstock.cli.dead_letters import dead_letters_app
from penstock.cli.topics import consume_command, produce_command, topics_app
from penstock.errors import PenstockError, RunError
from penstock.version import __version__

app = typer.Typer(
    name="penstock",
    help="Streaming SQL over Kafka on Spark.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("run")(scripts.run)
app.command("check")(scripts.check)
app.command("explain")(scripts.explain)
app.command("sql")(warehouse.sql)
app.command("serve")(warehouse.serve)
app.command("status")(jobs.status)
app.command("reset")(jobs.reset)
app.add_typer(broker_app, name="broker")
app.add_typer(topics_app, name="topics")
app.add_typer(dead_letters_app, name="dead-letters")
app.command("produce")(produce_command)
app.command("consume")(consume_command)


@app.command("demo")
def demo(
    seconds: Annotated[int, typer.Option(help="How long the events flow.")] = 30,
) -> None:
    """Everything at once: an embedded broker, a stream of events, a SQL pipeline, live."""
    from penstock.cli.demo import run_demo

    run_demo(seconds)


@app.command("doctor")
def doctor() -> None:
    """Check Java, Python, jars, broker, ports and disk."""
    from penstock.cli.doctor import run_doctor

    raise typer.Exit(run_doctor())


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"penstock {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show it.")
    ] = False,
) -> None:
    """Streaming SQL over Kafka on Spark."""


def main() -> None:
    """Run the command; an error of ours is printed as a sentence and becomes the exit code."""
    try:
        app()
    except PenstockError as error:
        from penstock.cli.render import render_error

        sys.stderr.write(render_error(error))
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # The reader of our output has gone, as in `penstock consume … | head`.
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:
        sys.stderr.write(_unforeseen(error))
        sys.exit(1)


def _unforeseen(error: Exception) -> str:
    """A sentence for what no code of ours names, its trace in a file."""
    import tempfile
    import traceback

    from penstock.cli.render import render_error

    with tempfile.NamedTemporaryFile(
        "w", prefix="penstock-", suffix=".trace", delete=False
    ) as file:
        traceback.print_exception(error, file=file)
    reason = f"{type(error).__name__}: {error}".partition("\n")[0]
    return render_error(RunError("INTERNAL_ERROR", reason=reason, file=file.name))
