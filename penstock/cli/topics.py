"""`penstock topics [list|create|delete|describe]`: what is on the broker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from penstock.cli.bootstrap import BootstrapOption, client_properties
from penstock.cli.records import consume_command, produce_command

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["consume_command", "produce_command", "topics_app"]

topics_app = typer.Typer(help="List, create, describe and delete topics.")

AllOption = Annotated[bool, typer.Option("--all", help="Kafka's internal topics, too.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@topics_app.callback(invoke_without_command=True)
def topics_command(
    context: typer.Context,
    show_all: AllOption = False,
    as_json: JsonOption = False,
    bootstrap: BootstrapOption = None,
) -> None:
    """List the topics, or do with them what the subcommand says."""
    context.obj = bootstrap
    if context.invoked_subcommand is None:
        list_topics(client_properties(bootstrap), show_all=show_all, as_json=as_json)


@topics_app.command("list")
def list_command(
    context: typer.Context,
    show_all: AllOption = False,
    as_json: JsonOption = False,
    bootstrap: BootstrapOption = None,
) -> None:
    """List the topics with the number of their partitions and messages."""
    properties = client_properties(bootstrap or context.obj)
    list_topics(properties, show_all=show_all, as_json=as_json)


@topics_app.command("create")
def create_command(
    context: typer.Context,
    topics: list[str],
    partitions: Annotated[int, typer.Option("--partitions", "-p", min=1)] = 1,
    config: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="A topic setting, e.g. cleanup.policy=compact."),
    ] = None,
    if_not_exists: Annotated[
        bool, typer.Option("--if-not-exists", help="A topic that exists is no error.")
    ] = False,
    bootstrap: BootstrapOption = None,
) -> None:
    """Create topics."""
    from penstock.kafka.admin import create_topic

    settings = _settings(config or ())
    properties = client_properties(bootstrap or context.obj)
    for name in topics:
        created = create_topic(
            properties, name, partitions=partitions, config=settings, if_not_exists=if_not_exists
        )
        typer.echo(f"'{name}' {'is created' if created else 'exists already'}.", err=True)


@topics_app.command("delete")
def delete_command(
    context: typer.Context,
    topics: list[str],
    if_exists: Annotated[
        bool, typer.Option("--if-exists", help="A topic that does not exist is no error.")
    ] = False,
    bootstrap: BootstrapOption = None,
) -> None:
    """Delete topics and their messages."""
    from penstock.kafka.admin import delete_topic

    properties = client_properties(bootstrap or context.obj)
    for name in topics:
        deleted = delete_topic(properties, name, if_exists=if_exists)
        typer.echo(f"'{name}' {'is deleted' if deleted else 'did not exist'}.", err=True)


@topics_app.command("describe")
def describe_command(
    context: typer.Context,
    topics: list[str],
    as_json: JsonOption = False,
    bootstrap: BootstrapOption = None,
) -> None:
    """Show the offsets of every partition."""
    from penstock.kafka.admin import beginning_offsets, end_offsets

    properties = client_properties(bootstrap or context.obj)
    first, end = beginning_offsets(properties, topics), end_offsets(properties, topics)
    columns = ("topic", "partition", "beginning", "end", "messages")
    rows = [(w.topic, w.partition, first[w], end[w], end[w] - first[w]) for w in sorted(first)]
    _print(columns, rows, as_json=as_json)


def list_topics(properties: Mapping[str, str], *, show_all: bool, as_json: bool) -> None:
    """Print the topics of a cluster."""
    from penstock.kafka import admin

    topics = [t for t in admin.list_topics(properties) if show_all or not t.internal]
    names = [topic.name for topic in topics]
    messages = dict.fromkeys(names, 0)
    for where, end in admin.end_offsets(properties, names).items():
        messages[where.topic] += end
    for where, beginning in admin.beginning_offsets(properties, names).items():
        messages[where.topic] -= beginning
    rows = [(topic.name, topic.partitions, messages[topic.name]) for topic in topics]
    _print(("topic", "partitions", "messages"), rows, as_json=as_json)


def _settings(pairs: Iterable[str]) -> dict[str, str]:
    from penstock.errors import OptionError

    settings = {}
    for pair in pairs:
        key, found, value = pair.partition("=")
        if not (key and found):
            argument = f"--config {pair}"
            raise OptionError("INVALID_ARGUMENT", argument=argument, expected="Write KEY=VALUE.")
        settings[key] = value
    return settings


def _print(columns: Sequence[str], rows: Sequence[tuple[str | int, ...]], *, as_json: bool) -> None:
    if as_json:
        import json

        typer.echo(json.dumps([dict(zip(columns, row, strict=True)) for row in rows]))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for index, column in enumerate(columns):
        table.add_column(column, justify="left" if index == 0 else "right", overflow="fold")
    for row in rows:
        table.add_row(*map(str, row))
    Console().print(table)
