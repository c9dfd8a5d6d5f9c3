"""Views that are served while they and their tables come and go: no row is lost or comes twice."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from penstock.kafka import admin
from penstock.kafka.record import Record
from penstock.kafka.records import produce
from penstock.kafka.topic import TopicPartition
from penstock.runtime.commits import OWN_NOTE
from tests.helpers import last_commit, take_back, wait_until

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.clickhouse.server import Server

pytestmark = pytest.mark.kafka

KEPT = "CREATE TABLE kept (n Int64) ENGINE = MergeTree ORDER BY n;"
VIEW = "CREATE MATERIALIZED VIEW v TO kept AS SELECT n FROM queue;"


def test_views_are_followed_as_they_come_and_go(server: Server) -> None:
    server.serve()
    server.send(range(5))
    server.sql(server.queue() + KEPT + VIEW)
    server.await_numbers(range(5))
    server.sql("DETACH TABLE queue")
    server.send(range(5, 9))
    assert server.await_state("v", "waiting") == "`queue` is detached"
    assert server.committed() == 5
    assert server.numbers() == list(range(5))
    server.sql("ATTACH TABLE queue")
    server.await_numbers(range(9))
    server.sql(
        "DETACH TABLE queue; ALTER TABLE kept ADD COLUMN at UInt64; DROP VIEW v;"
        "ATTACH TABLE queue;"
        "CREATE MATERIALIZED VIEW v TO kept AS SELECT n, _offset AS at FROM queue;"
    )
    server.send(range(9, 12))
    server.await_numbers(range(12))
    server.sql(f"DROP VIEW v; ALTER TABLE kept RENAME COLUMN at TO place; {VIEW}")
    server.send(range(12, 14))
    server.await_numbers(range(14))
    # The view waits while its table is gone, and goes on with what nobody has seen.
    server.sql("DROP TABLE kept")
    server.send(range(14, 17))
    assert server.await_state("v", "waiting") == "`kept` is not there"
    server.sql(KEPT)
    server.await_numbers(range(14, 17))
    # A Kafka table that is made anew goes on where its group is; for another group it begins anew.
    server.sql("DROP TABLE queue")
    server.send([17, 18])
    server.sql(server.queue(kafka_num_consumers=2))
    server.await_numbers(range(14, 19))
    server.sql(
        "DROP TABLE queue; TRUNCATE TABLE kept;"
        + server.queue(kafka_group_name=f"{server.group}-2")
    )
    server.await_numbers(range(19))
    server.send([19])
    server.await_numbers(range(20))


def test_system_stops_and_starts_a_table(server: Server) -> None:
    """A block that is open is broken off by STOP, and finished by PAUSE."""
    server.serve()
    settings = {"kafka_flush_interval_ms": 600_000, "kafka_max_block_size": 1000}
    server.send(range(3))
    server.sql(server.queue(**settings) + KEPT + VIEW)
    server.await_state("v", "running")
    server.sql("SYSTEM PAUSE queue; SYSTEM START queue")
    assert server.numbers() == list(range(3))
    server.send(range(3, 8))
    server.await_state("v", "running")
    server.sql("SYSTEM STOP queue")
    assert server.states()["v"] == ("waiting", "stopped by SYSTEM")
    assert server.numbers() == list(range(3))
    server.sql("SYSTEM REFRESH queue")
    assert server.numbers() == list(range(8))
    server.send(range(8, 10))
    assert server.states()["v"][0] == "waiting"
    server.sql("SYSTEM START queue")
    server.send(range(10, 15))
    server.await_state("v", "running")
    assert server.numbers() == list(range(8))
    server.sql("SYSTEM PAUSE queue")
    assert server.numbers() == list(range(15))
    assert server.states()["v"][0] == "waiting"
    server.send([15])
    server.sql("SYSTEM START ALL BACKGROUND; SYSTEM REFRESH ALL BACKGROUND")
    assert server.numbers() == list(range(16))
    server.sql("SYSTEM CANCEL queue")
    server.await_state("v", "running")
    # It is said of the table, whatever that is called; and of the view nothing.
    server.sql("SYSTEM STOP queue; RENAME TABLE queue TO other, v TO w;" + server.queue(**settings))
    server.await_state("w", "running")
    server.sql("RENAME TABLE queue TO one_more; RENAME TABLE other TO queue, w TO v")
    assert server.await_state("v", "waiting") == "stopped by SYSTEM"
    # Whoever serves next was not told to stop.
    server.sql("SYSTEM STOP queue")
    server.jobs[-1].stop()
    server.send([16])
    server.serve(drain=True)
    assert server.numbers() == list(range(17))


def test_a_view_that_fails_is_tried_again_while_others_go_on(server: Server) -> None:
    later = f"{server.source}-later"
    server.send([0, b"qwertyuiop", 1])
    server.serve()
    server.sql(server.queue() + KEPT + VIEW)
    where = f"'{server.source}' (partition 1, offset 0)"
    note = server.await_state("v", "failing")
    assert where in note
    assert "Cannot parse input: expected '{' before: 'qwertyuiop'" in note
    assert (server.numbers(), server.committed()) == ([], 0)
    wait_until(lambda: note in server.problems("queue"))
    server.sql(
        server.queue("other", kafka_topic_list=later)
        + "CREATE TABLE others (n Int64) ENGINE = MergeTree ORDER BY n;"
        "CREATE MATERIALIZED VIEW w TO others AS SELECT n FROM other;"
    )
    assert later in server.await_state("w", "failing")
    admin.create_topic(server.properties, later, partitions=2)
    server.send([5, 6], later)
    server.await_numbers([5, 6], "others")
    server.sql("DROP TABLE queue;" + server.queue(kafka_skip_broken_messages=1))
    server.await_numbers([0, 1])
    # A mistake of the view itself: what it could not write is there when it is mended.
    server.sql(
        "ALTER TABLE w MODIFY QUERY SELECT toInt64(concat(toString(n), 'x')) AS n FROM other"
    )
    server.send([7, 8], later)
    note = server.await_state("w", "failing")
    assert "Cannot parse as Int64: 7x" in note or "Cannot parse as Int64: 8x" in note
    wait_until(lambda: note in server.problems("other"))
    server.sql("ALTER TABLE w MODIFY QUERY SELECT n FROM other")
    server.await_numbers([5, 6, 7, 8], "others")


def test_a_block_that_could_not_be_written_is_written_whole(server: Server) -> None:
    """Its rows are in files of the table, but the commit that names them fails."""
    server.serve()
    server.sql(server.queue(kafka_max_block_size=20) + KEPT + VIEW)
    (log,) = (server.warehouse.path / "tables").glob("kept-*/_delta_log")
    in_the_way = log / "00000000000000000001.json"
    in_the_way.mkdir()
    server.send(range(22))
    server.await_state("v", "failing")
    in_the_way.rmdir()
    server.await_numbers(range(22))
    select = "SELECT count(), uniqExact(n), max(n) + 1 FROM kept FORMAT JSONCompactEachRow"
    assert server.sql(select) == [[22, 22, 22]]


def _sharing(server: Server, tables: Sequence[str], **settings: object) -> str:
    """Tables of one group, each with a view that says which it was."""
    made = "".join(server.queue(name, **settings) for name in tables)
    views = "".join(
        f"CREATE MATERIALIZED VIEW v_{q} TO kept AS SELECT n, '{q}' AS of FROM {q};" for q in tables
    )
    return f"{made}CREATE TABLE kept (n Int64, of String) ENGINE = MergeTree ORDER BY n;{views}"


@pytest.mark.parametrize("rounds", [1, pytest.param(8, marks=pytest.mark.slow)])
def test_tables_of_one_group_share_its_messages(rounds: int, server: Server) -> None:
    """They are detached and attached in turn; the first that is there reads."""
    server.serve()
    server.sql(_sharing(server, ("q0", "q1", "q2")))
    sent, last = 0, ["DROP TABLE q0; DETACH TABLE q1"]
    for change in ("", *("DETACH TABLE q0", "ATTACH TABLE q0") * rounds, *last):
        server.sql(change or "SELECT 1 FORMAT Null")
        if change.startswith("ATTACH"):
            assert server.await_state("v_q1", "waiting") == "`q0` reads for its group"
        server.send(range(sent, sent + 4))
        sent += 4
        server.await_numbers(range(sent))
    rows = server.sql("SELECT of FROM kept ORDER BY n FORMAT JSONCompactEachRow")
    read = [rows[at][0] for at in range(0, sent, 4)]
    assert read == ["q0", *["q1", "q0"] * rounds, "q2"]


@pytest.mark.parametrize(
    ("tables", "count"), [(3, 120), pytest.param(11, 5_000, marks=pytest.mark.slow)]
)
def test_what_tables_leave_the_last_of_their_group_reads(
    tables: int, count: int, server: Server
) -> None:
    """All but one are dropped, then that one is made anew, for four consumers each."""
    server.source = server.topic("shared", partitions=tables + 3)
    names = [f"q{number}" for number in range(tables)]
    settings = {"kafka_num_consumers": 4, "kafka_max_block_size": count // 2}
    script = _sharing(server, names, **settings)

    def send(nth: int) -> None:
        numbers = range(nth * count, (nth + 1) * count)
        records = (Record(b'{"n": %d}' % n, partition=n % (tables + 3)) for n in numbers)
        produce(server.properties, server.source, records)

    send(0)
    server.serve()
    server.sql(script)
    server.await_numbers(range(count))
    send(1)
    server.sql("".join(f"DROP TABLE {name};" for name in names[:-1]))
    server.await_numbers(range(2 * count))
    server.sql(f"DROP TABLE {names[-1]}")
    send(2)
    server.sql(server.queue(names[-1], **settings))
    server.await_numbers(range(3 * count))


def test_what_a_killed_server_wrote_is_not_read_by_the_next_view(server: Server) -> None:
    """Neither Spark nor the group know of a block that is in the table."""
    server.sql(server.queue() + KEPT + VIEW)
    server.send(range(4))
    job = server.serve()
    server.await_numbers(range(4))
    job.stop(grace_s=0)
    take_back(last_commit(server.warehouse.path))
    none = {TopicPartition(server.source, partition): 0 for partition in (0, 1)}
    admin.commit_offsets(server.properties, server.group, offsets=none, note=OWN_NOTE)
    server.sql("DROP VIEW v;" + VIEW)
    server.send(range(4, 6))
    server.serve(drain=True)
    assert server.numbers() == list(range(6))


def test_several_views_of_a_table_each_get_all_of_it(server: Server) -> None:
    """Half of the messages cannot be read, one has no value."""
    texts = [b'{"n": "x%d"}' % at if at % 2 else b'{"n": %d}' % at for at in range(128)]
    server.send([*texts, None])
    server.sql(
        server.queue(kafka_handle_error_mode="stream")
        + KEPT
        + "CREATE TABLE broken (n Int64, text String) ENGINE = MergeTree ORDER BY n;"
        "CREATE MATERIALIZED VIEW v TO kept AS "
        "SELECT n FROM (SELECT *, _error FROM queue) WHERE length(_error) = 0;"
        "CREATE MATERIALIZED VIEW w TO broken AS "
        "SELECT n, _raw_message AS text FROM queue WHERE length(_error) > 0;"
        "CREATE TABLE sums (s Int64, c UInt64) ENGINE = SummingMergeTree ORDER BY tuple();"
        "CREATE MATERIALIZED VIEW x TO sums AS SELECT sum(n) AS s, count() AS c FROM kept;"
    )
    server.serve(drain=True)
    assert server.numbers() == list(range(0, 128, 2))
    (found,) = server.sql(
        "SELECT count(), uniqExact(text), max(n) FROM broken FORMAT JSONCompactEachRow"
    )
    assert found == [64, 64, 0]
    assert server.sql("SELECT sum(s), sum(c) FROM sums FORMAT JSONCompactEachRow") == [[4032, 64]]


def test_tables_that_are_made_anew_while_messages_come(server: Server) -> None:
    server.serve()
    made = server.queue(kafka_max_block_size=50)
    server.sql(made + KEPT + VIEW)
    sent, ended = [0], threading.Event()

    def produce_on() -> None:
        while not ended.wait(0.1):
            server.send(range(sent[0], sent[0] + 5))
            sent[0] += 5

    thread = threading.Thread(target=produce_on)
    thread.start()
    try:
        for change in (f"DROP TABLE queue;{made}", f"DROP VIEW v;{VIEW}", "SYSTEM CANCEL queue"):
            before = server.committed()
            wait_until(lambda before=before: server.committed() > before, timeout_s=60)
            server.sql(change)
            time.sleep(1)
    finally:
        ended.set()
        thread.join()
    server.await_numbers(range(sent[0]))
