"""`penstock produce` and `penstock consume`: messages in and out of a topic, line by line."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from pathlib import Path  # noqa: TC003 - typer evaluates the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from penstock.cli.bootstrap import BootstrapOption, client_properties

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from penstock.kafka.lines import LineParser
    from penstock.kafka.record import Record


def produce_command(
    topic: str,
    file: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="Read this file, not standard input."),
    ] = None,
    key_field: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The JSON field of a line that is its key as well."),
    ] = None,
    key_separator: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="What stands between the key and the value of a line."),
    ] = None,
    envelope: Annotated[
        bool,
        typer.Option(
            "--envelope",
            help="A line is a JSON object with key, value, headers, partition, timestamp, as "
            "`consume --envelope` prints it; a null value is a tombstone.",
        ),
    ] = False,
    bootstrap: BootstrapOption = None,
) -> None:
    """Send each line as a message; blank lines are left out."""
    from penstock.kafka.admin import topic_exists
    from penstock.kafka.lines import records
    from penstock.kafka.records import produce

    parse = _parser(key_field=key_field, key_separator=key_separator, envelope=envelope)
    properties = client_properties(bootstrap)
    existed = topic_exists(properties, topic)
    with _lines(file) as lines:
        source = str(file) if file else "standard input"
        sent = produce(properties, topic, records(lines, parse, source=source))
    created = " The topic did not exist and was created." if sent and not existed else ""
    noun = "message" if sent == 1 else "messages"
    typer.echo(f"{sent} {noun} sent to '{topic}'.{created}", err=True)


def consume_command(
    topic: str,
    from_beginning: Annotated[
        bool, typer.Option("--from-beginning", help="What is in the topic already, too.")
    ] = False,
    maximum: Annotated[
        int | None, typer.Option("--max", min=1, metavar="N", help="Stop after N messages.")
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(min=0, metavar="S", help="Stop after S seconds without a message."),
    ] = None,
    until_end: Annotated[
        bool,
        typer.Option("--until-end/--follow", help="Stop at what is the end now, or go on."),
    ] = False,
    keys: Annotated[
        bool, typer.Option("--keys", help="Print JSON lines with key and value.")
    ] = False,
    envelope: Annotated[
        bool,
        typer.Option(
            "--envelope",
            help="Print JSON lines with key, value, headers, partition, offset, timestamp, as "
            "`produce --envelope` reads them.",
        ),
    ] = False,
    group: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Go on where this consumer group is, and commit."),
    ] = None,
    bootstrap: BootstrapOption = None,
) -> None:
    """Print the values of messages, one per line; of transactions only what was committed."""
    from penstock.kafka.records import consume

    show = _printer(keys=keys, envelope=envelope)
    messages = consume(
        client_properties(bootstrap),
        topic,
        from_beginning=from_beginning,
        limit=maximum,
        until_end=until_end,
        idle_s=timeout,
        group=group,
    )
    with suppress(KeyboardInterrupt), _reader_may_leave():
        for record in messages:
            sys.stdout.buffer.write(show(record) + b"\n")
            sys.stdout.buffer.flush()


def _parser(*, key_field: str | None, key_separator: str | None, envelope: bool) -> LineParser:
    from penstock.errors import OptionError
    from penstock.kafka import lines

    given = {
        "--key-field": key_field and lines.with_key_field(key_field),
        "--key-separator": key_separator and lines.with_key_separator(key_separator),
        "--envelope": lines.envelope if envelope else None,
    }
    chosen = {flag: parser for flag, parser in given.items() if parser}
    if len(chosen) > 1:
        argument = " ".join(chosen)
        raise OptionError("INVALID_ARGUMENT", argument=argument, expected="Pass one of them.")
    return next(iter(chosen.values()), lines.value_only)


@contextmanager
def _lines(file: Path | None) -> Iterator[BinaryIO]:
    if file is None:
        yield sys.stdin.buffer
    else:
        with file.open("rb") as lines:
            yield lines


@contextmanager
def _reader_may_leave() -> Iterator[None]:
    """`… | head` is no error, neither now nor when Python flushes its output at the end."""
    try:
        yield
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _printer(*, keys: bool, envelope: bool) -> Callable[[Record], bytes]:
    from penstock.kafka import envelope as envelopes

    if envelope:
        return lambda record: envelopes.write(record).encode()
    if keys:
        return lambda record: envelopes.write_key_and_value(record).encode()
    return _plain


def _plain(record: Record) -> bytes:
    if record.value is not None:
        return record.value
    key = b"null" if record.key is None else record.key
    return b"<tombstone key=" + key + b">"
