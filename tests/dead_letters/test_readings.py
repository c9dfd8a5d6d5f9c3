"""Tables that are read more than once, and in other ways than from one end to the other."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from penstock.kafka.dead_letters import read_letters
from penstock.kafka.record import Record
from penstock.kafka.records import produce
from tests.dead_letters.bad_messages import (
    EVERY,
    WAIT_S,
    BadMessages,
    bad,
    letters_to,
    number_of,
    place_of,
)

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.kafka

ROWS = 2 * EVERY
BAD = [number for number in range(ROWS) if bad(number)]
GOOD = [number for number in range(ROWS) if not bad(number)]


def numbers(messages: BadMessages) -> list[int]:
    return [number_of(letter) for letter in messages.letters()]


def test_each_query_has_letters_of_its_own(messages: BadMessages) -> None:
    script = messages.script(letters_to(messages.letters_topic))
    script += "CREATE TABLE more (n BIGINT) WITH ('connector' = 'blackhole');"
    script += "INSERT INTO more SELECT n FROM numbers WHERE n > 0;"
    messages.send(range(ROWS))
    assert messages.start(script).wait(WAIT_S)
    assert numbers(messages) == sorted([*BAD, *BAD])
    merged = read_letters(messages.properties, messages.letters_topic)
    assert [letter.queries for letter in merged] == [("bad/copies", "bad/more")] * len(BAD)
    assert [letter.place for letter in merged] == sorted({_place(r) for r in messages.letters()})


def _place(letter: Record) -> tuple[str, int, int]:
    where, offset = place_of(letter)
    return where.topic, where.partition, offset


def test_a_table_that_is_read_again_with_each_batch(messages: BadMessages) -> None:
    """Beside a stream a bounded table is read whole, once per batch of the stream."""
    stream = messages.topic("stream")
    options = letters_to(messages.letters_topic) + ", 'scan.bounded.mode' = 'latest-offset'"
    joined = "SELECT s.n FROM s JOIN t ON s.n = t.n"
    script = messages.script(options).replace("SELECT n FROM numbers", joined)
    script = script.replace("TABLE numbers", "TABLE t").replace(
        "INSERT",
        f"CREATE TABLE s (n BIGINT) WITH ('connector' = 'kafka', 'topic' = '{stream}', "
        "'properties.bootstrap.servers' = 'x:1', 'format' = 'json', "
        "'scan.startup.mode' = 'earliest-offset'); INSERT",
    )
    messages.send(range(ROWS))
    wanted = GOOD[:6]
    produce(messages.properties, stream, [Record(b'{"n": %d}' % n) for n in wanted])
    settings = {"penstock.max-offsets-per-batch": "2"}
    assert messages.start(script, **settings).wait(WAIT_S)
    assert messages.copies() == Counter(wanted)
    assert numbers(messages) == BAD


def test_rows_that_pass_through_python(
    messages: BadMessages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are read in another thread than they are written in."""
    (tmp_path / "doubling.py").write_text("def twice(n: int) -> int:\n    return 2 * n\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    script = "CREATE FUNCTION twice AS 'doubling.twice' LANGUAGE PYTHON;" + messages.script(
        letters_to(messages.letters_topic)
    ).replace("SELECT n", "SELECT twice(n)")
    messages.send(range(ROWS))
    messages.run(script)
    assert messages.copies() == Counter(2 * number for number in GOOD)
    assert numbers(messages) == BAD
