"""`scan.bounded.mode` on the real broker: exactly the rows between the start and the end."""

from __future__ import annotations

import json
import time
import uuid
from typing import TYPE_CHECKING

import pytest

from penstock import PenstockError, RunError, Session
from penstock.kafka import admin
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from penstock.kafka.topic import TopicPartition
from penstock.plan.script import plan_script
from penstock.sql.parse import parse
from tests.helpers import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus

# Not long ago: what is older than a week is deleted by the broker.
BASE_MS = int(time.time()) // 60 * 60_000 - 600_000
SCRIPT = """
CREATE TABLE numbers (n INT, {more}) WITH (
  'connector' = 'kafka', 'topic' = '{source}', 'properties.bootstrap.servers' = 'x:1',
  {options},
  'format' = 'json'
);
CREATE TABLE copies (n INT) WITH (
  'connector' = 'kafka', 'topic' = '{sink}', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'json'
);
{insert};
"""
COPY = "INSERT INTO copies SELECT n FROM numbers"
EARLIEST = "'scan.startup.mode' = 'earliest-offset'"
TO_NOW = "'scan.bounded.mode' = 'latest-offset'"
GROUP = "'properties.group.id' = '{group}'"


class Place:
    """Ten numbers in two partitions, even and odd ones; number n has the time BASE_MS + n."""

    def __init__(self, spark: SparkSession, address: str, source: str, sink: str, state: Path):
        self.source, self.sink, self.group = source, sink, f"g-{uuid.uuid4().hex[:8]}"
        self.properties = {"bootstrap.servers": address}
        self.session = Session(spark, bootstrap=address, state_dir=state)
        self.send(range(10))

    def send(self, numbers: range) -> None:
        records = [
            Record(json.dumps({"n": n}).encode(), partition=n % 2, timestamp=BASE_MS + n)
            for n in numbers
        ]
        produce(self.properties, self.source, records)

    def commit(self, *offsets: int) -> None:
        places = {TopicPartition(self.source, p): offset for p, offset in enumerate(offsets)}
        admin.commit_offsets(self.properties, self.group, offsets=places)

    def text(self, options: str, *, insert: str = COPY, more: str = "at AS PROCTIME()") -> str:
        options = options.replace("{group}", self.group)
        return SCRIPT.format(
            source=self.source, sink=self.sink, options=options, insert=insert, more=more
        )

    def run(self, options: str, **words: str) -> list[int]:
        assert self.session.execute(self.text(options, **words)).wait(90)
        return self.output()

    def output(self) -> list[int]:
        records = consume(self.properties, self.sink, from_beginning=True, until_end=True)
        return sorted(json.loads(record.value or b"")["n"] for record in records)


@pytest.fixture
def place(
    spark: SparkSession, broker: BrokerStatus, topic: Callable[..., str], tmp_path: Path
) -> Place:
    names = topic("numbers", partitions=2), topic("copies")
    return Place(spark, broker.address, *names, tmp_path)


def until(ms: int) -> str:
    return f"'scan.bounded.mode' = 'timestamp', 'scan.bounded.timestamp-millis' = '{BASE_MS + ms}'"


# options, committed offsets of the group, the numbers read (partition 0: 0 2 4 6 8, 1: 1 3 5 7 9)
BOUNDS = [
    ([EARLIEST, TO_NOW], (), range(10)),
    ([EARLIEST, until(5)], (), [0, 1, 2, 3, 4]),
    ([EARLIEST, until(0)], (), []),
    ([EARLIEST, until(8999)], (), range(10)),
    ([EARLIEST, GROUP, "'scan.bounded.mode' = 'group-offsets'"], (1, 3), [0, 1, 3, 5]),
    ([EARLIEST, "'scan.bounded.mode' = 'specific-offsets'",
      "'scan.bounded.specific-offsets' = 'partition:0,offset:2'"], (), [0, 2]),
    ([EARLIEST, GROUP, "'scan.bounded.mode' = 'specific-offsets'",
      "'scan.bounded.specific-offsets' = 'partition:0,offset:2'"], (0, 1), [0, 1, 2]),
    ([until(7).replace("bounded", "startup"), TO_NOW], (), [7, 8, 9]),
    ([GROUP, TO_NOW], (4, 0), [1, 3, 5, 7, 8, 9]),
    ([GROUP, "'properties.auto.offset.reset' = 'earliest'", TO_NOW], (5,), [1, 3, 5, 7, 9]),
    (["'scan.startup.mode' = 'latest-offset'", TO_NOW], (), []),
    (["'scan.startup.mode' = 'specific-offsets'",
      "'scan.startup.specific-offsets' = 'partition:0,offset:3;partition:1,offset:99'",
      "'scan.bounded.mode' = 'specific-offsets'",
      "'scan.bounded.specific-offsets' = 'partition:0,offset:1;partition:1,offset:1'"], (), [1]),
]  # fmt: skip


@pytest.mark.kafka
@pytest.mark.parametrize(("options", "committed", "expected"), BOUNDS)
def test_from_every_start_to_every_end(
    place: Place, options: list[str], committed: tuple[int, ...], expected: list[int]
) -> None:
    if committed:
        place.commit(*committed)
    assert place.run(", ".join(options)) == list(expected)


@pytest.mark.kafka
def test_a_second_run_reads_again_up_to_the_new_end(place: Place) -> None:
    assert place.run(f"{EARLIEST}, {TO_NOW}") == list(range(10))
    place.send(range(10, 12))
    assert place.run(f"{EARLIEST}, {TO_NOW}") == sorted([*range(10), *range(12)])


@pytest.mark.kafka
def test_deleted_messages_and_transaction_markers_hold_nothing_up(place: Place) -> None:
    _delete_before(place, 3)
    _in_transaction(place, range(10, 12))
    place.send(range(12, 14))
    _in_transaction(place, range(14, 16))
    # Markers of transactions, which are no messages, stand between messages and at the end.
    assert place.run(f"{EARLIEST}, {TO_NOW}") == list(range(6, 16))


@pytest.mark.kafka
def test_an_end_inside_the_deleted_range_gives_nothing(place: Place) -> None:
    _delete_before(place, 3)
    end = (
        "'scan.bounded.mode' = 'specific-offsets', "
        "'scan.bounded.specific-offsets' = 'partition:0,offset:2;partition:1,offset:1'"
    )
    assert place.run(f"{EARLIEST}, {end}") == []


@pytest.mark.kafka
def test_a_start_and_an_end_that_were_deleted_leave_nothing(place: Place) -> None:
    _delete_before(place, 3)
    options = (
        "'scan.startup.mode' = 'specific-offsets', "
        "'scan.startup.specific-offsets' = 'partition:0,offset:1;partition:1,offset:2', "
        "'scan.bounded.mode' = 'specific-offsets', "
        "'scan.bounded.specific-offsets' = 'partition:0,offset:3;partition:1,offset:3'"
    )
    assert place.run(options) == []


@pytest.mark.kafka
@pytest.mark.parametrize(
    ("options", "code"),
    [
        (f"{EARLIEST}, {GROUP}, 'scan.bounded.mode' = 'group-offsets'", "NO_COMMITTED_END"),
        (
            f"{EARLIEST}, 'scan.bounded.mode' = 'specific-offsets', "
            "'scan.bounded.specific-offsets' = 'partition:1,offset:6'",
            "BOUND_NOT_REACHED",
        ),
    ],
)
def test_an_end_that_is_not_there_is_refused(place: Place, options: str, code: str) -> None:
    with pytest.raises(RunError) as caught:
        place.run(options)
    assert caught.value.code == code
    assert place.source in str(caught.value)


@pytest.mark.kafka
def test_windows_come_out_at_the_end(place: Place) -> None:
    windows = (
        "INSERT INTO copies SELECT CAST(COUNT(*) AS INT) FROM "
        "TABLE(TUMBLE(TABLE numbers, DESCRIPTOR(at), INTERVAL '0.004' SECOND)) "
        "GROUP BY window_start, window_end"
    )
    more = "at TIMESTAMP_LTZ(3) METADATA FROM 'timestamp', WATERMARK FOR at AS at"
    assert place.run(f"{EARLIEST}, {TO_NOW}", insert=windows, more=more) == [2, 4, 4]


UNION = """
INSERT INTO copies SELECT n FROM numbers UNION ALL SELECT n + 100 FROM live;
"""


@pytest.mark.kafka
def test_a_bounded_side_of_a_stream_ends_and_stays_ended(place: Place) -> None:
    live = (
        f"CREATE TABLE live (n INT) WITH ('connector' = 'kafka', 'topic' = '{place.source}', "
        f"'properties.bootstrap.servers' = 'x:1', {EARLIEST}, 'format' = 'json');"
    )
    text = live + place.text(f"{EARLIEST}, {TO_NOW}", insert=UNION)
    job = place.session.execute(text)
    wait_until(lambda: len(place.output()) == 20, timeout_s=60)
    place.send(range(10, 12))
    wait_until(lambda: len(place.output()) == 22, timeout_s=60)
    assert job.is_active
    job.stop()
    place.send(range(12, 14))
    assert place.session.execute(text, drain=True).wait(60)
    assert place.output() == [*range(10), *range(100, 114)]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            "'scan.bounded.mode' = 'timestamp'",
            "'scan.bounded.timestamp-millis' is required in 'timestamp' bounded mode but missing.",
        ),
        (
            "'scan.bounded.mode' = 'specific-offsets'",
            "'scan.bounded.specific-offsets' is required in 'specific-offsets' bounded mode but",
        ),
        ("'scan.bounded.mode' = 'group-offsets'", "group.id is required"),
        (
            "'scan.bounded.mode' = 'specific-offsets', "
            "'scan.bounded.specific-offsets' = 'partition:0,offset:x'",
            "'partition:0,offset:42;partition:1,offset:300'",
        ),
        ("'scan.bounded.mode' = 'never'", "'latest-offset'"),
    ],
)
def test_bounds_that_cannot_be_are_refused(options: str, says: str) -> None:
    text = SCRIPT.format(source="a", sink="b", options=options, insert=COPY, more="m INT")
    with pytest.raises(PenstockError) as caught:
        plan_script(parse(text), name="t")
    assert says in str(caught.value)
    assert caught.value.span is not None


def _delete_before(place: Place, offset: int) -> None:
    from confluent_kafka import TopicPartition as ClientPartition
    from confluent_kafka.admin import AdminClient

    client = AdminClient(place.properties)
    where = [ClientPartition(place.source, partition, offset) for partition in (0, 1)]
    for done in client.delete_records(where).values():
        done.result(30)


def _in_transaction(place: Place, numbers: range) -> None:
    from confluent_kafka import Producer

    producer = Producer({**place.properties, "transactional.id": f"{place.group}-{numbers[0]}"})
    producer.init_transactions(30)
    producer.begin_transaction()
    for n in numbers:
        producer.produce(place.source, json.dumps({"n": n}), partition=n % 2)
    producer.commit_transaction(30)
