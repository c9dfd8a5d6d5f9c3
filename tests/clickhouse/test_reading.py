"""Where a Kafka table begins, what it commits, how large its blocks are."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from penstock.kafka import admin
from penstock.kafka.record import Record
from penstock.kafka.records import produce
from penstock.kafka.topic import TopicPartition
from tests.helpers import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.clickhouse.queue import Queue

pytestmark = pytest.mark.kafka

COUNTS = "CREATE MATERIALIZED VIEW v TO copies AS SELECT toInt64(count()) AS n FROM queue;"
DIRECT = "SET stream_like_engine_allow_direct_select = 1; INSERT INTO copies SELECT n FROM queue;"


def test_a_first_run_begins_at_the_groups_offsets_and_commits_its_own(queue: Queue) -> None:
    queue.send(range(10))
    first, second = (TopicPartition(queue.source, partition) for partition in (0, 1))
    admin.commit_offsets(queue.properties, queue.group, offsets={first: 3})
    queue.run(queue.script())
    assert queue.copies() == [1, 3, 5, 6, 7, 8, 9]
    assert queue.committed() == {first: 5, second: 5}
    queue.send(range(10, 12))
    queue.run(queue.script())
    assert queue.copies() == [1, 3, 5, 6, 7, 8, 9, 10, 11]


def test_views_made_anew_go_on_where_the_group_is(queue: Queue, tmp_path: Path) -> None:
    queue.send(range(4))
    queue.run(queue.script())
    queue.send(range(4, 6))
    queue.run(queue.script("CREATE MATERIALIZED VIEW w TO copies AS SELECT n FROM queue;"))
    assert queue.copies() == list(range(6))


def test_a_direct_insert_commits_only_if_it_is_asked_to(queue: Queue) -> None:
    queue.send(range(4))
    queue.run(queue.script(DIRECT))
    assert queue.copies() == list(range(4))
    assert queue.committed() == {}
    queue.run(queue.script(DIRECT, kafka_commit_on_select=1))
    assert queue.copies() == sorted([*range(4)] * 2)
    assert set(queue.committed().values()) == {2}


def test_a_limit_leaves_the_group_where_it_is(queue: Queue) -> None:
    """Unless what it is taken of needs all messages."""
    queue.send(range(10))
    limited = DIRECT.replace("queue;", "queue LIMIT 1;")
    queue.run(queue.script(limited, kafka_commit_on_select=1))
    assert (len(queue.copies()), queue.committed()) == (1, {})
    within = DIRECT.replace("queue;", "(SELECT n FROM queue LIMIT 2) WHERE n >= 0 ORDER BY n;")
    queue.run(queue.script(within, kafka_commit_on_select=1))
    assert (len(queue.copies()), queue.committed()) == (3, {})
    ordered = DIRECT.replace("queue;", "queue ORDER BY n LIMIT 1;")
    queue.run(queue.script(ordered, kafka_commit_on_select=1))
    assert set(queue.committed().values()) == {5}


def test_a_block_has_as_many_messages_at_most(queue: Queue) -> None:
    queue.send(range(10))
    queue.run(queue.script(COUNTS, kafka_max_block_size=4))
    counts = [row["n"] for row in queue.rows()]
    assert sum(counts) == 10
    assert max(counts) <= 4


def test_without_a_limit_all_there_is_is_one_block(queue: Queue) -> None:
    queue.send(range(10))
    queue.run(queue.script(COUNTS, kafka_num_consumers=1, kafka_flush_interval_ms=60_000))
    assert queue.copies() == [10]


def test_a_block_waits_until_it_is_whole(queue: Queue) -> None:
    """The first one too, though messages come a few at a time, and one is polled at a time."""
    settings = {
        "kafka_max_block_size": 100,
        "kafka_flush_interval_ms": 120_000,
        "kafka_poll_max_batch_size": 1,
    }
    with queue.sending(every_s=0.05, each=7):
        job = queue.start(queue.script(COUNTS, **settings), drain=False)
        wait_until(lambda: len(queue.copies()) >= 2, timeout_s=60)
    assert queue.copies()[:2] == [100, 100]
    job.raise_failure()


def test_a_block_waits_for_its_messages_but_not_for_ever(queue: Queue) -> None:
    """What comes in such an interval is one block."""
    with queue.sending(every_s=0.25):
        wait_until(lambda: len(queue.messages(queue.source)) > 1)
        script = queue.script(COUNTS, kafka_flush_interval_ms=3_000)
        began_ms = 1000 * time.time()
        job = queue.start(script, drain=False)
        wait_until(lambda: len(queue.rows()) >= 2, timeout_s=60)
    written = [message.timestamp or 0 for message in queue.messages(queue.sink)]
    assert all(at >= began_ms + nth * 3_000 for nth, at in enumerate(written, 1))
    assert min(row["n"] for row in queue.rows()[:2]) > 1
    job.raise_failure()


def test_a_view_of_the_whole_block_is_read_once(queue: Queue) -> None:
    queue.send([*range(10), b"{"])
    sorted_view = "CREATE MATERIALIZED VIEW v TO copies AS SELECT n FROM queue ORDER BY n LIMIT 3;"
    tables = queue.run(queue.script(sorted_view, kafka_skip_broken_messages=1))
    assert queue.copies() == [0, 1, 2]
    assert (tables["queue"].rows_in, tables["queue"].skipped) == (11, 1)
    assert tables["copies"].rows_out == 3


def test_a_table_of_several_topics(queue: Queue) -> None:
    other = queue.topic("other")
    queue.send(range(2))
    produce(queue.properties, other, [Record(b'{"n": 2}')])
    body = (
        queue.table("queue", f"{queue.source}, {other}")
        + queue.table("copies", queue.sink, "n Int64, topic String")
        + "CREATE MATERIALIZED VIEW v TO copies AS SELECT n, _topic AS topic FROM queue;"
    )
    queue.run(body)
    found = sorted((row["n"], row["topic"]) for row in queue.rows())
    assert found == [(0, queue.source), (1, queue.source), (2, other)]


def test_names_of_databases_and_tables_in_settings(queue: Queue) -> None:
    name = queue.source.removeprefix("queue_")
    queue.send(range(3))
    arguments = f"'x:1', '{{database}}_{{table}}', '{queue.group}', 'JSONEachRow', '\\n'"
    table = f"CREATE TABLE queue.`{name}` (n Int64) ENGINE = Kafka({arguments});"
    text = table + queue.table("copies", queue.sink)
    view = f"CREATE MATERIALIZED VIEW v TO copies AS SELECT n FROM queue.`{name}`;"
    queue.run(f"CREATE DATABASE queue; {text} {view}")
    assert queue.copies() == [0, 1, 2]


def test_what_was_written_is_read_back(queue: Queue) -> None:
    """The key and the time of a row are those of its message; none is lost or comes twice."""
    queue.send(range(1, 5001))
    middle = queue.topic("middle", partitions=3)
    columns = "n Int64, _key String, _timestamp DateTime"
    view = (
        "CREATE MATERIALIZED VIEW v TO middle AS SELECT n, toString(n) AS _key, "
        "toDateTime(1577836800 + n) AS _timestamp FROM queue;"
    )
    queue.run(queue.script(queue.table("middle", middle, columns) + view))
    back = (
        "CREATE MATERIALIZED VIEW w TO copies AS SELECT n FROM middle "
        "WHERE toInt64(_key) = n AND toUnixTimestamp(_timestamp) = 1577836800 + n;"
    )
    queue.run(queue.table("middle", middle) + queue.table("copies", queue.sink) + back)
    assert queue.copies() == list(range(1, 5001))
