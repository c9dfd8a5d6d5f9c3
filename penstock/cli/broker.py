"""`penstock broker start|stop|status`: the embedded broker. stdout carries the address alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from penstock.kafka.broker import BrokerStatus

broker_app = typer.Typer(
    help="The Kafka broker that comes with Penstock, on this machine only.", no_args_is_help=True
)

DirOption = Annotated[
    Path | None,
    typer.Option(
        "--dir",
        file_okay=False,
        help="The broker's folder, with its data and its log. [default: $PENSTOCK_BROKER_DIR, else "
        "penstock/broker in your state folder]",
    ),
]


@broker_app.command("start")
def start_command(
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="The port. [default: the last one, else a free one]"),
    ] = None,
    directory: DirOption = None,
) -> None:
    """Start the broker unless it runs, and print its address once it answers."""
    from penstock.jars.progress import Display
    from penstock.kafka.broker import start

    with Display("Fetching Kafka") as progress:
        running = start(directory, port=port, progress=progress)
    typer.echo(f"The broker keeps its data and its log in {running.directory}.", err=True)
    typer.echo(running.address)


@broker_app.command("stop")
def stop_command(directory: DirOption = None) -> None:
    """Stop the broker; its data stays."""
    from penstock.kafka.broker import stop

    stopped = stop(directory)
    typer.echo("The broker has stopped." if stopped else "No broker was running.", err=True)


@broker_app.command("status")
def status_command(
    directory: DirOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything, as JSON.")] = False,
) -> None:
    """Print the address of the running broker; exit code 1 if there is none."""
    from penstock.kafka.broker import status

    running = status(directory)
    if as_json:
        typer.echo(_json(running))
    elif running:
        typer.echo(running.address)
    else:
        typer.echo("No broker is running.", err=True)
    if running is None:
        raise typer.Exit(1)


def _json(running: BrokerStatus | None) -> str:
    import json

    if running is None:
        return json.dumps({"running": False})
    facts = {
        "running": True,
        "address": running.address,
        "pid": running.pid,
        "directory": str(running.directory),
        "log_file": str(running.log_file),
        "started_at": running.started_at.isoformat(timespec="seconds"),
    }
    return json.dumps(facts)
