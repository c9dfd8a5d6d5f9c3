"""Views and their consumer groups: one table of a group reads, and where others set it, it goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.kafka import admin
from penstock.kafka.topic import TopicPartition
from penstock.runtime import anew
from penstock.runtime.commits import OWN_NOTE
from penstock.runtime.follow import Follower
from penstock.runtime.signals import Signals
from tests.clickhouse.queue import VIEW, WAIT_S
from tests.helpers import last_commit, take_back

if TYPE_CHECKING:
    from pathlib import Path

    from penstock.plan.query import Query
    from penstock.runtime.launch import Launch
    from penstock.runtime.running import Running
    from tests.clickhouse.queue import Queue
    from tests.clickhouse.server import Server

pytestmark = pytest.mark.kafka

OTHER = "CREATE MATERIALIZED VIEW w TO copies AS SELECT n + 1000 AS n FROM other;"


def _set(queue: Queue | Server, partition: int, offset: int) -> None:
    """As `kafka-consumer-groups --reset-offsets` does it."""
    place = TopicPartition(queue.source, partition)
    admin.commit_offsets(queue.properties, queue.group, offsets={place: offset})


def test_tables_of_one_group_share_its_messages_in_a_script_too(queue: Queue) -> None:
    other = queue.table("other", queue.source)
    queue.send(range(4))
    job = queue.start(queue.script(other + VIEW + OTHER))
    assert job.wait(WAIT_S)
    assert queue.copies() == [0, 1, 2, 3]
    found = {one.query: (one.state, one.note) for one in job.status().queries}
    assert found == {"v": ("finished", ""), "w": ("waiting", "`queue` reads for its group")}
    queue.send([4, 5])
    queue.run(queue.script(other + OTHER))
    assert queue.copies() == [0, 1, 2, 3, 1004, 1005]
    queue.send([6, 7])
    queue.run(queue.script(other + VIEW + OTHER))
    assert queue.copies() == [0, 1, 2, 3, 6, 7, 1004, 1005]


def test_a_view_goes_on_where_its_group_was_set(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Back and forth, in the partitions that were set; also if it is broken off on the way."""
    script = queue.script()
    queue.send(range(10))
    queue.run(script)
    _set(queue, 0, 3)
    queue.send([10, 11])
    queue.run(script)
    seen = [*range(10), 6, 8, 10, 11]
    assert queue.copies() == sorted(seen)
    _set(queue, 1, 7)
    queue.send([12, 13, 14, 15])

    def crash(folder: Path) -> None:
        raise OSError("The disk is gone.")

    with monkeypatch.context() as broken:
        broken.setattr(anew, "forget_progress", crash)
        with pytest.raises(Exception, match="The disk is gone"):
            queue.run(script)
    seen += [12, 14, 15]
    for _ in range(2):
        queue.run(script)
        assert queue.copies() == sorted(seen)
    assert set(queue.committed().values()) == {8}


def test_all_views_of_a_table_go_where_its_group_was_set(server: Server) -> None:
    server.sql(
        server.queue()
        + "CREATE TABLE kept (n Int64) ENGINE = MergeTree ORDER BY n;"
        + "CREATE TABLE counted (n Int64) ENGINE = MergeTree ORDER BY n;"
        + "CREATE MATERIALIZED VIEW v TO kept AS SELECT n FROM queue;"
        + "CREATE MATERIALIZED VIEW w TO counted AS SELECT count() AS n FROM queue;"
    )
    count = "SELECT sum(n) FROM counted FORMAT JSONCompactEachRow"
    server.send(range(8))
    server.serve(drain=True)
    assert (server.numbers(), server.sql(count)) == (list(range(8)), [[8]])
    # A reset that comes while the view is dropped is not taken back by it.
    _set(server, 0, 2)
    server.sql("DROP VIEW v; CREATE MATERIALIZED VIEW v TO kept AS SELECT n FROM queue;")
    job = server.serve()
    again = [*range(8), 4, 6]
    server.await_numbers(again)
    job.stop()
    assert server.sql(count) == [[10]]
    # What a crash kept from the group is no reset: the views' own notes count.
    places = {TopicPartition(server.source, partition): 0 for partition in (0, 1)}
    admin.commit_offsets(server.properties, server.group, offsets=places, note=OWN_NOTE)
    server.send([8, 9])
    server.serve(drain=True)
    assert (server.numbers(), server.sql(count)) == (sorted([*again, 8, 9]), [[12]])
    assert server.committed() == 10


def test_a_view_that_goes_elsewhere_in_kafka_stays_where_it_is_in_tables_at_rest(
    server: Server,
) -> None:
    """Also after a crash, and where its Kafka table is made anew for another group."""
    server.sql(
        server.queue()
        + "CREATE TABLE kept (n Int64) ENGINE = MergeTree ORDER BY n;"
        + "CREATE TABLE hand (n Int64) ENGINE = MergeTree ORDER BY n;"
        + "CREATE MATERIALIZED VIEW v TO kept AS SELECT n FROM queue UNION ALL SELECT n FROM hand;"
        + "INSERT INTO hand VALUES (50);"
    )
    server.send(range(2))
    server.serve(drain=True)
    take_back(last_commit(server.warehouse.path))
    _set(server, 0, 0)
    server.serve(drain=True)
    assert server.numbers() == [0, 0, 1, 50]
    server.sql("DROP TABLE queue;" + server.queue(kafka_group_name=f"{server.group}-other"))
    server.sql("INSERT INTO hand VALUES (51)")
    server.serve(drain=True)
    assert server.numbers() == [0, 0, 0, 1, 1, 50, 51]


def test_what_a_query_took_from_the_group_is_not_read_by_views(queue: Queue) -> None:
    """With `kafka_commit_on_select` it is read for all of the group."""
    settings = {"kafka_commit_on_select": 1}
    queue.send(range(2))
    queue.run(queue.script(**settings))
    queue.send(range(2, 4))
    direct = (
        "SET stream_like_engine_allow_direct_select = 1; INSERT INTO copies SELECT -n FROM queue;"
    )
    queue.run(queue.script(direct, **settings))
    queue.send(range(4, 6))
    queue.run(queue.script(**settings))
    assert queue.copies() == [-3, -2, 0, 1, 4, 5]


def test_refresh_reads_only_what_nobody_else_reads_or_changes(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, begin = [], Follower._begin

    def noted(follower: Follower, launch: Launch, query: Query) -> Running:
        served = follower.signals.served()
        said.append(served is not None and query.id in served.views)
        return begin(follower, launch, query)

    monkeypatch.setattr(Follower, "_begin", noted)
    server.serve()
    settings = {"kafka_flush_interval_ms": 600_000, "kafka_max_block_size": 1000}
    server.sql(
        server.queue("qa", **settings)
        + server.queue("qb", **settings)
        + "CREATE TABLE kept (n Int64, of String) ENGINE = MergeTree ORDER BY n;"
        + "CREATE MATERIALIZED VIEW va TO kept AS SELECT n, 'a' AS of FROM qa;"
        + "CREATE MATERIALIZED VIEW vb TO kept AS SELECT n, 'b' AS of FROM qb;"
    )
    rows = "SELECT n, of FROM kept ORDER BY n FORMAT JSONCompactEachRow"
    server.send(range(2))
    server.await_state("va", "running")
    # The block of `qa` is open; its rows come from nowhere else.
    server.sql("SYSTEM REFRESH qb")
    assert server.sql(rows) == []
    server.sql("SYSTEM PAUSE ALL BACKGROUND")
    assert server.sql(rows) == [[0, "a"], [1, "a"]]
    server.send([2, 3])
    Signals(server.warehouse.path).hold(["vb"])
    server.sql("SYSTEM REFRESH qb")
    assert server.sql(rows) == [[0, "a"], [1, "a"]]
    server.sql("SYSTEM REFRESH qb")
    assert server.sql(rows) == [[0, "a"], [1, "a"], [2, "b"], [3, "b"]]
    assert all(said)
