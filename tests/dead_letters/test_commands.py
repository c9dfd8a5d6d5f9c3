"""`penstock dead-letters`: list, show and replay, on the letters of a job."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from penstock.cli.main import app
from penstock.errors import PenstockError
from penstock.kafka.records import consume
from tests.dead_letters.bad_messages import (
    EVERY,
    PARTITIONS,
    WAIT_S,
    BadMessages,
    bad,
    letters_to,
    message,
    number_of,
)

if TYPE_CHECKING:
    from click.testing import Result

pytestmark = pytest.mark.kafka

ROWS = 2 * EVERY
BAD = [number for number in range(ROWS) if bad(number)]


@pytest.fixture
def kept(messages: BadMessages) -> BadMessages:
    """A job that has met its bad messages, and its script."""
    script = messages.script(letters_to(messages.letters_topic))
    (messages.folder / "bad.sql").write_text(script)
    messages.send(range(ROWS))
    messages.run(script)
    return messages


def call(messages: BadMessages, *words: str) -> Result:
    """A command about the letters of the script."""
    command, *rest = words
    script = str(messages.folder / "bad.sql")
    line = ["dead-letters", command, script, *rest, "--bootstrap", messages.address]
    return CliRunner().invoke(app, line, catch_exceptions=True)


def listed(messages: BadMessages, *words: str) -> list[dict[str, Any]]:
    found = call(messages, "list", "--json", *words)
    assert found.exit_code == 0, found.output
    return list(json.loads(found.stdout))


def place(messages: BadMessages, number: int) -> str:
    return f"{messages.source}/{number % PARTITIONS}/{number // PARTITIONS}"


def test_list_and_show(kept: BadMessages) -> None:
    letters = listed(kept)
    assert [letter["place"] for letter in letters] == [place(kept, number) for number in BAD]
    first = letters[0]
    assert (first["tables"], first["queries"]) == (["numbers"], ["bad/copies"])
    assert first["headers"] == {"from": "test", "number": str(BAD[0])}
    assert (first["value"], first["replayed"]) == (f'{{"n": {BAD[0]}', False)
    assert first["time"] == "2023-11-14T22:13:20.500+00:00"
    text = call(kept, "list", "--limit", "1")
    assert (f"offset {BAD[0]}" not in text.stdout, "table" in text.stdout) == (True, True)
    assert text.stderr == "2 dead letters, 0 of them replayed. 1 are not shown.\n"
    assert listed(kept, "--table", "others") == []
    shown = call(kept, "show", place(kept, BAD[0]))
    lines = dict(line.split(maxsplit=1) for line in shown.stdout.splitlines() if " " in line)
    assert (lines["place"], lines["key"]) == (place(kept, BAD[0]), f'{{"id": {BAD[0]}}}')
    assert lines["value"] == f'{{"n": {BAD[0]}'
    by_topic = ["dead-letters", "show", "--topic", kept.letters_topic, place(kept, BAD[0])]
    again = CliRunner().invoke(app, [*by_topic, "--bootstrap", kept.address])
    assert again.stdout == shown.stdout


def test_replayed_to_a_table_that_can_read_them(kept: BadMessages) -> None:
    """The table is corrected: what it could not read before is sent again, and arrives."""
    assert call(kept, "replay", place(kept, BAD[0])).stderr == "1 message sent again.\n"
    assert [letter["replayed"] for letter in listed(kept)] == [True, False]
    done = call(kept, "replay", "--all")
    assert done.stderr.startswith("1 message sent again. 1 were replayed before")
    assert call(kept, "replay", "--all").stderr.startswith("0 messages sent again.")
    source = consume(kept.properties, kept.source, from_beginning=True, until_end=True)
    records = [record for record in source if bad(number_of(record))]
    assert Counter(map(number_of, records)) == Counter(dict.fromkeys(BAD, 2))
    for record in records:
        sent = message(number_of(record))
        assert (record.key, record.value, record.headers) == (sent.key, sent.value, sent.headers)
        assert (record.partition, record.timestamp) == (sent.partition, sent.timestamp)
    corrected = kept.script().replace("n BIGINT", "line STRING", 1)
    corrected = corrected.replace("'format' = 'json'", "'format' = 'raw'", 1)
    read = "CAST(REGEXP_EXTRACT(line, '[0-9]+') AS BIGINT)"
    kept.run(corrected.replace("SELECT n", f"SELECT {read}"))
    assert kept.copies() == Counter(range(ROWS))


def test_replayed_elsewhere_and_again(kept: BadMessages) -> None:
    for extra in ([], ["--again"]):
        assert call(kept, "replay", "--all", "--to", kept.sink, *extra).exit_code == 0
    found = consume(kept.properties, kept.sink, from_beginning=True, until_end=True)
    numbers = [number_of(record) for record in found if record.headers]
    assert sorted(numbers) == sorted([*BAD, *BAD])


def test_tables_that_share_a_topic_of_letters(messages: BadMessages) -> None:
    """However their clients differ, a letter is listed and replayed once."""
    options = letters_to(messages.letters_topic)
    script = messages.script(options)
    other = messages.script(options + ", 'properties.client.id' = 'other'")
    create, insert = other.split(");")[0], "SELECT n FROM numbers;"
    script += create.replace("TABLE numbers", "TABLE others") + ");"
    script += f"INSERT INTO copies {insert.replace('numbers', 'others')}"
    (messages.folder / "bad.sql").write_text(script)
    messages.send(range(EVERY))
    assert messages.start(script).wait(WAIT_S)
    (letter,) = listed(messages)
    assert letter["tables"] == ["numbers", "others"]
    assert call(messages, "replay", "--all").stderr == "1 message sent again.\n"
    sent = consume(messages.properties, messages.source, from_beginning=True, until_end=True)
    assert sum(bad(number_of(record)) for record in sent) == 2


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("show", "numbers/0/1"), "UNKNOWN_LETTER"),
        (("replay",), "INVALID_ARGUMENT"),
        (("replay", "a/0/1", "--all"), "INVALID_ARGUMENT"),
        (("list", "--topic", "x"), "INVALID_ARGUMENT"),
    ],
)
def test_mistakes(words: tuple[str, ...], code: str, kept: BadMessages) -> None:
    error = call(kept, *words).exception
    assert isinstance(error, PenstockError)
    assert (error.code, error.exit_code) == (code, 2)
