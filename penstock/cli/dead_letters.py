"""`penstock dead-letters list|show|replay`: messages that jobs could not read, and kept."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer evaluates the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from penstock.cli.scripts import (  # noqa: TC001 - as above
    Bootstrap,
    Credentials,
    Dialect,
    Embedded,
    Settings,
    Variables,
)

if TYPE_CHECKING:
    from penstock.kafka.dead_letters import Letter

dead_letters_app = typer.Typer(
    help="Messages that could not be read: list, show and replay them.", no_args_is_help=True
)

_WORDS = "JOB.sql|PLACE"
Topic = Annotated[
    str | None,
    typer.Option("--topic", help="The topic of dead letters, in place of a script.", metavar="T"),
]
TableOption = Annotated[
    str | None, typer.Option("--table", help="Only letters of this table.", metavar="NAME")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@dead_letters_app.command("list")
def list_command(
    script: Annotated[
        Path | None, typer.Argument(help="The job that wrote them.", metavar="JOB.sql")
    ] = None,
    *,
    topic: Topic = None,
    table: TableOption = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Show at most so many.", metavar="N")
    ] = None,
    as_json: JsonOption = False,
    bootstrap: Bootstrap = None,
    embedded: Embedded = False,
    settings: Settings = [],  # noqa: B006
    variables: Variables = [],  # noqa: B006
    credentials: Credentials = None,
    dialect: Dialect = None,
) -> None:
    """List the letters by where their messages stood, each once."""
    from penstock.cli.letter_boxes import Asked, letters_of
    from penstock.cli.letter_text import list_json, list_table

    asked = Asked(script, topic, bootstrap, embedded, settings, variables, credentials, dialect)
    letters = [letter for _, letter in letters_of(asked, table=table)]
    shown = letters[:limit]
    if as_json:
        typer.echo(list_json(shown))
    elif shown:
        list_table(shown)
    left = len(letters) - len(shown)
    typer.echo(_summary(letters) + (f" {left} are not shown." if left else ""), err=True)


@dead_letters_app.command("show")
def show_command(
    words: Annotated[
        list[str],
        typer.Argument(help="The job, unless --topic is given, and places.", metavar=_WORDS),
    ],
    *,
    topic: Topic = None,
    as_json: JsonOption = False,
    bootstrap: Bootstrap = None,
    embedded: Embedded = False,
    settings: Settings = [],  # noqa: B006
    variables: Variables = [],  # noqa: B006
    credentials: Credentials = None,
    dialect: Dialect = None,
) -> None:
    """Show letters whole: `show JOB.sql PLACE…`, a place as TOPIC/PARTITION/OFFSET."""
    from penstock.cli.letter_boxes import Asked, at_places, letters_of, split_words
    from penstock.cli.letter_text import letter_json, letter_text

    script, places = split_words(words, topic)
    asked = Asked(script, topic, bootstrap, embedded, settings, variables, credentials, dialect)
    for _, letter in at_places(letters_of(asked), places):
        typer.echo(letter_json(letter) if as_json else letter_text(letter))


@dead_letters_app.command("replay")
def replay_command(
    words: Annotated[
        list[str] | None,
        typer.Argument(help="The job, unless --topic is given, and places.", metavar=_WORDS),
    ] = None,
    *,
    topic: Topic = None,
    table: TableOption = None,
    replay_all: Annotated[bool, typer.Option("--all", help="All letters, not places.")] = False,
    to: Annotated[
        str | None,
        typer.Option("--to", help="Send to this topic, not to where they were.", metavar="TOPIC"),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Those, too, that were replayed before.")
    ] = False,
    now: Annotated[
        bool, typer.Option("--now", help="With the present time, not with the message's own.")
    ] = False,
    bootstrap: Bootstrap = None,
    embedded: Embedded = False,
    settings: Settings = [],  # noqa: B006
    variables: Variables = [],  # noqa: B006
    credentials: Credentials = None,
    dialect: Dialect = None,
) -> None:
    """Send the untouched messages again: `replay JOB.sql PLACE…`, or `replay JOB.sql --all`."""
    from penstock.cli.letter_boxes import Asked, at_places, letters_of, send_again, split_words
    from penstock.errors import OptionError

    script, places = split_words(words or [], topic)
    if replay_all == bool(places):
        expected = "Name places, or pass --all."
        raise OptionError("INVALID_ARGUMENT", argument="replay", expected=expected)
    asked = Asked(script, topic, bootstrap, embedded, settings, variables, credentials, dialect)
    found = letters_of(asked, table=table)
    chosen = found if replay_all else at_places(found, places)
    wanted = [(box, letter) for box, letter in chosen if again or not letter.replayed]
    sent = send_again(wanted, to=to, now=now)
    before = len(chosen) - len(wanted)
    noun = "message" if sent == 1 else "messages"
    note = f" {before} were replayed before; --again sends them, too." if before else ""
    typer.echo(f"{sent} {noun} sent again.{note}", err=True)


def _summary(letters: list[Letter]) -> str:
    if not letters:
        return "No dead letters."
    replayed = sum(letter.replayed for letter in letters)
    noun = "dead letter" if len(letters) == 1 else "dead letters"
    return f"{len(letters)} {noun}, {replayed} of them replayed."
