"""One bad message in a thousand, met by each handler: good rows arrive, bad ones are told."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from penstock import PenstockError
from penstock.kafka.record import Record
from penstock.kafka.records import produce
from tests.dead_letters.bad_messages import (
    EVERY,
    PARTITIONS,
    WAIT_S,
    BadMessages,
    bad,
    letters_to,
    message,
    number_of,
    place_of,
)

pytestmark = pytest.mark.kafka

ROWS = 5 * EVERY
BAD = [number for number in range(ROWS) if bad(number)]
# The first of each partition, whichever task comes there first.
FIRST = [f"partition {number % PARTITIONS}, offset {number // PARTITIONS}" for number in BAD[:2]]
GOOD = Counter(number for number in range(ROWS) if not bad(number))


def test_none_stops_at_the_message_and_meets_it_again(messages: BadMessages) -> None:
    messages.send(range(ROWS))
    for _ in range(2):
        with pytest.raises(PenstockError) as caught:
            messages.start(messages.script()).wait(WAIT_S)
        assert caught.value.code == "BAD_MESSAGE"
        assert any(f"'{messages.source}' ({place})" in str(caught.value) for place in FIRST)


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ("'format' = 'json'", "'json.ignore-parse-errors' = 'true'"),
        ("'value.format' = 'json'", "'value.json.ignore-parse-errors' = 'true'"),
        (
            "'value.format' = 'csv', 'key.format' = 'json', 'key.fields' = 'id', "
            "'value.fields-include' = 'EXCEPT_KEY'",
            "'key.json.ignore-parse-errors' = 'true'",
        ),
        ("'format' = 'avro'", "'scan.deser.failure-handler' = 'log'"),
    ],
    ids=["format", "value", "key", "none to ignore"],
)
def test_the_error_names_the_option_as_the_table_writes_it(
    options: str, advice: str, messages: BadMessages
) -> None:
    produce(messages.properties, messages.source, [Record(b"{", key=b"{")])
    script = messages.script(columns="id BIGINT, n BIGINT").replace("'format' = 'json'", options, 1)
    with pytest.raises(PenstockError) as caught:
        messages.start(script).wait(WAIT_S)
    assert caught.value.code == "BAD_MESSAGE"
    assert f"To skip such messages set {advice}; to keep them" in str(caught.value)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(", 'json.ignore-parse-errors' = 'true'", id="ignore"),
        pytest.param(", 'scan.deser.failure-handler' = 'log'", id="log"),
    ],
)
def test_left_out_and_counted(options: str, messages: BadMessages) -> None:
    messages.send(range(ROWS))
    table = messages.run(messages.script(options))
    assert messages.copies() == GOOD
    assert (table.rows_in, table.skipped, table.dead_letters) == (ROWS, len(BAD), 0)
    assert messages.letters() == []
    java: Any = messages.spark.sparkContext._jvm
    log = Path(java.System.getProperty("penstock.log")).read_text()
    told = [line for line in log.splitlines() if f"topic {messages.source}, " in line]
    assert len(told) == (len(BAD) if "log" in options else 0)
    assert all(" WARN TopicReader: A message of table numbers was left out" in x for x in told)
    assert any(FIRST[0] in line for line in told) == bool(told)


def test_letters_are_the_messages_untouched(messages: BadMessages) -> None:
    messages.send(range(ROWS))
    began_ms = int(time.time() * 1000)
    table = messages.run(messages.script(letters_to(messages.letters_topic)))
    assert messages.copies() == GOOD
    assert (table.rows_in, table.skipped, table.dead_letters) == (ROWS, 0, len(BAD))
    letters = messages.letters()
    assert [number_of(letter) for letter in letters] == BAD
    for number, letter in zip(BAD, letters, strict=True):
        sent = message(number)
        assert (letter.key, letter.value) == (sent.key, sent.value)
        # By the message's own time, which is years ago, retention would take the letter.
        assert letter.timestamp is not None
        assert letter.timestamp >= began_ms
        assert letter.headers[: len(sent.headers)] == sent.headers
        partition, offset = place_of(letter)
        assert (partition.topic, partition.partition) == (messages.source, number % PARTITIONS)
        assert offset == number // PARTITIONS
        headers = dict(letter.headers)
        assert headers["penstock.timestamp"] == str(sent.timestamp).encode()
        assert (headers["penstock.table"], headers["penstock.job"]) == (b"numbers", b"bad")
        assert headers["penstock.query"] == b"copies"
        assert headers["penstock.error"]
        assert headers["penstock.checkpoint"]
