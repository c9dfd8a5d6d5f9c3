"""What the tasks of a job ask of the topic of dead letters, and what they leave on the line."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from penstock import PenstockError
from penstock.kafka import admin
from penstock.kafka.record import Record
from penstock.kafka.records import produce
from tests.dead_letters.bad_messages import (
    EVERY,
    PARTITIONS,
    WAIT_S,
    BadMessages,
    bad,
    letters_to,
    number_of,
)
from tests.dead_letters.line import LIST_OFFSETS, PRODUCE, watched_broker
from tests.helpers import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

    from tests.dead_letters.line import Line

pytestmark = pytest.mark.kafka

ROWS = 2 * EVERY
BAD = [number for number in range(ROWS) if bad(number)]
# Ends of the topic of letters, and its beginnings.
REQUESTS_PER_LOOK = 2
BATCHES = 3


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Line]:
    with watched_broker(tmp_path_factory.mktemp("broker")) as made:
        yield made


@pytest.fixture
def watched(
    spark: SparkSession, line: Line, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[BadMessages]:
    def topic(name: str, *, partitions: int = 1) -> str:
        unique = f"{request.node.name}_{name}"
        properties = {"bootstrap.servers": line.address}
        admin.create_topic(properties, unique, partitions=partitions)
        return unique

    made = BadMessages(spark, line.address, tmp_path, topic)
    yield made
    made.close()


def test_letters_of_a_failed_run_do_not_come_later(watched: BadMessages, line: Line) -> None:
    """They are on the line when the tasks fail; the next run finds all of them."""
    script = watched.script(letters_to(watched.letters_topic))
    failing = script.replace("SELECT n FROM", f"SELECT 1 / (n - {ROWS - 1}) FROM")
    watched.send(range(ROWS))
    line.watch(watched.letters_topic, hold_s=6)
    with pytest.raises(PenstockError, match="zero"):
        watched.start(failing).wait(WAIT_S)
    line.watch(watched.letters_topic)
    watched.run(script)
    assert line.count(PRODUCE) == 0
    assert [number_of(letter) for letter in watched.letters()] == BAD


def test_a_run_that_is_stopped_leaves_nothing_on_the_line(watched: BadMessages, line: Line) -> None:
    """Its tasks are broken off while their letters are under way; nobody waits for them."""
    script = watched.script(letters_to(watched.letters_topic))
    watched.send(range(ROWS))
    line.watch(watched.letters_topic, hold_s=6)
    job = watched.start(script, drain=False)
    wait_until(lambda: line.count(PRODUCE) == PARTITIONS, timeout_s=WAIT_S)
    job.stop(grace_s=0)
    line.watch(watched.letters_topic)
    watched.run(script)
    assert line.count(PRODUCE) == 0
    assert [number_of(letter) for letter in watched.letters()] == BAD


def test_a_table_beside_a_stream_looks_once_per_batch(watched: BadMessages, line: Line) -> None:
    """Not once per task; and it notices that the topic was made anew."""
    stream = watched.topic("stream")
    options = letters_to(watched.letters_topic) + ", 'scan.bounded.mode' = 'latest-offset'"
    script = watched.script(options).replace(
        "SELECT n FROM numbers", "SELECT s.n FROM s JOIN numbers ON s.n = numbers.n"
    )
    script = script.replace(
        "INSERT",
        f"CREATE TABLE s (n BIGINT) WITH ('connector' = 'kafka', 'topic' = '{stream}', "
        "'properties.bootstrap.servers' = 'x:1', 'format' = 'json', "
        "'scan.startup.mode' = 'earliest-offset'); INSERT",
    )
    watched.send(range(ROWS))
    line.watch(watched.letters_topic)
    job = watched.start(script, drain=False)
    for batch in range(BATCHES):
        produce(watched.properties, stream, [Record(b'{"n": %d}' % batch)])
        wait_until(lambda sent=batch: watched.copies().total() == sent + 1, timeout_s=WAIT_S)
        job.raise_failure()
    # The client may ask once more; each task that looks would ask twice as often.
    assert line.count(LIST_OFFSETS) < BATCHES * PARTITIONS * REQUESTS_PER_LOOK
    assert [number_of(letter) for letter in watched.letters()] == BAD
    admin.delete_topic(watched.properties, watched.letters_topic)
    admin.create_topic(watched.properties, watched.letters_topic, partitions=PARTITIONS)
    filler = [Record(b"", partition=number % PARTITIONS) for number in range(10)]
    produce(watched.properties, watched.letters_topic, filler)
    produce(watched.properties, stream, [Record(b'{"n": %d}' % BATCHES)])
    wait_until(lambda: watched.copies() == Counter(range(BATCHES + 1)), timeout_s=WAIT_S)
    letters = [letter for letter in watched.all_of(watched.letters_topic) if letter.headers]
    assert sorted(map(number_of, letters)) == BAD
