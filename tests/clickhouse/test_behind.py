"""Views of one Kafka table that are not equally far: none of them loses what it has not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.errors import PenstockError
from penstock.kafka import admin
from penstock.runtime import preflight
from penstock.runtime.follow import Follower
from tests.clickhouse.server import WAIT_S
from tests.helpers import last_commit, take_back, wait_until

if TYPE_CHECKING:
    from penstock.plan.query import Query
    from penstock.runtime.launch import Launch
    from penstock.runtime.running import Running
    from tests.clickhouse.server import Server

pytestmark = pytest.mark.kafka

KEPT = "CREATE TABLE kept (n Int64) ENGINE = MergeTree ORDER BY n;"
OTHERS = "CREATE TABLE others (n Int64) ENGINE = MergeTree ORDER BY n;"
VIEW = "CREATE MATERIALIZED VIEW v TO kept AS SELECT n FROM queue;"
# It fails from the third number on.
FAILING_VIEW = VIEW.replace(
    "SELECT n", "SELECT toInt64(if(n > 1, concat(toString(n), 'x'), toString(n))) AS n"
)
OTHER_VIEW = "CREATE MATERIALIZED VIEW w TO others AS SELECT n FROM queue;"


def begin_with_two(server: Server, view: str) -> None:
    """Serve a view that has written two numbers, and one that is made after that."""
    server.serve()
    server.sql(server.queue() + KEPT + OTHERS + view)
    server.send(range(2))
    server.await_numbers(range(2))
    server.sql(OTHER_VIEW)


def test_a_view_whose_table_is_missing_gets_all_when_it_is_made(server: Server) -> None:
    server.serve()
    server.sql(server.queue() + OTHERS + VIEW + OTHER_VIEW)
    server.send(range(2))
    assert server.await_state("v", "waiting") == "`kept` is not there"
    assert "waits for its table" in server.await_state("w", "waiting")
    assert "The view `v` waits: `kept` is not there." in server.problems("queue")
    server.sql(KEPT)
    server.await_numbers(range(2))
    server.await_numbers(range(2), "others")


def test_a_view_that_fails_while_another_starts_is_tried_again(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = preflight.preflight

    def fail_meanwhile(queries: tuple[Query, ...]) -> None:
        if queries[0].id == "w":
            server.send(range(2, 4))
            wait_until(lambda: any(one.failure() for one in server.jobs[-1]._running))
        checked(queries)

    monkeypatch.setattr(preflight, "preflight", fail_meanwhile)
    begin_with_two(server, FAILING_VIEW)
    server.await_state("v", "failing")
    server.await_numbers(range(2, 4), "others")


def test_a_view_that_failed_gets_all_when_it_is_made_anew(server: Server) -> None:
    begin_with_two(server, FAILING_VIEW)
    server.send(range(2, 8))
    server.await_state("v", "failing")
    server.await_numbers(range(2, 8), "others")
    # What the failing one has not read, their group is not told.
    assert server.committed() == 2
    server.sql("DROP VIEW v")
    server.send([8])
    server.await_numbers(range(2, 9), "others")
    wait_until(lambda: server.committed() == 9)
    server.sql(VIEW)
    server.await_numbers(range(9))


def test_a_new_view_begins_behind_what_is_written(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the group was not told of it yet."""
    monkeypatch.setattr("penstock.runtime.running._TICK_EVERY_S", 3600)
    begin_with_two(server, VIEW)
    server.await_state("w", "running")
    server.send(range(2, 4))
    server.await_numbers(range(4))
    server.await_numbers(range(2, 4), "others")


def test_a_block_that_is_there_is_not_written_by_another_query(server: Server) -> None:
    """Nor into another table of the same name; Spark does not know that it was written."""
    server.sql(server.queue() + KEPT + VIEW)
    server.send(range(4))
    server.serve(drain=True)
    take_back(last_commit(server.warehouse.path))
    server.sql("ALTER TABLE v MODIFY QUERY SELECT sum(n) AS n FROM queue")
    server.serve(drain=True)
    assert server.numbers() == list(range(4))
    server.send([10, 20])
    server.serve(drain=True)
    assert server.numbers() == [*range(4), 30]
    take_back(last_commit(server.warehouse.path))
    server.sql("RENAME TABLE kept TO old;" + KEPT)
    server.send([5])
    server.serve(drain=True)
    assert server.numbers() == [5]
    assert server.numbers("old") == [*range(4), 30]


def test_views_that_are_new_begin_together(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the first has written a block before the second has started."""
    begin = Follower._begin

    def begin_late(follower: Follower, launch: Launch, query: Query) -> Running:
        if query.id == "w":
            commits = server.warehouse.path / "queries/v/checkpoint/commits"
            wait_until(lambda: (commits / "0").exists(), timeout_s=WAIT_S)
        return begin(follower, launch, query)

    monkeypatch.setattr(Follower, "_begin", begin_late)
    server.sql(server.queue() + KEPT + OTHERS + VIEW + OTHER_VIEW)
    server.send(range(4))
    server.serve()
    server.await_numbers(range(4), "others")
    server.await_numbers(range(4))
    wait_until(lambda: server.committed() == 4)


def test_views_of_several_stages_begin_together(server: Server) -> None:
    both = "SELECT n FROM queue UNION ALL SELECT n + 100 AS n FROM others;"
    server.sql(server.queue() + KEPT + OTHERS + OTHER_VIEW)
    server.sql(f"CREATE MATERIALIZED VIEW v TO kept AS {both}")
    server.send(range(4))
    server.serve(drain=True)
    assert server.numbers() == [*range(4), *range(100, 104)]
    assert server.committed() == 4


def test_a_group_is_not_told_what_a_failing_view_has_not_read(server: Server) -> None:
    """Neither when its views stand still; under another table each goes on where it was."""
    failing = VIEW.replace("SELECT n", "SELECT toInt64(concat(toString(n), 'x')) AS n")
    server.sql(server.queue() + KEPT + OTHERS + OTHER_VIEW + failing)
    server.send(range(4))
    server.serve()
    server.await_numbers(range(4), "others")
    server.await_state("v", "failing")
    server.sql("DETACH TABLE queue")
    assert server.committed() == 0
    server.sql(
        "ATTACH TABLE queue; RENAME TABLE queue TO other;"
        "ALTER TABLE v MODIFY QUERY SELECT n FROM other;"
        "ALTER TABLE w MODIFY QUERY SELECT n FROM other;"
    )
    server.await_numbers(range(4))
    server.send([4, 5])
    server.await_numbers(range(6))
    server.await_numbers(range(6), "others")


def test_a_view_whose_tables_change_goes_on_in_those_that_stay(server: Server) -> None:
    """A table at rest is made anew; then the view reads others than before."""
    hand = "CREATE TABLE hand (n Int64) ENGINE = MergeTree ORDER BY n;"
    reads = "SELECT n FROM queue UNION ALL SELECT n FROM hand UNION ALL SELECT n FROM more;"
    server.sql(server.queue() + KEPT + OTHERS + OTHER_VIEW + hand + hand.replace("hand", "more"))
    server.sql(f"CREATE MATERIALIZED VIEW v TO kept AS {reads}")
    server.sql("INSERT INTO hand VALUES (50); INSERT INTO more VALUES (60)")
    server.send(range(2))
    server.serve(drain=True)
    server.sql("DROP TABLE hand")
    server.send(range(2, 4))
    server.serve(drain=True)
    server.sql(hand + "INSERT INTO hand VALUES (51)")
    server.serve(drain=True)
    assert server.numbers() == [*range(4), 50, 51, 60]
    server.sql("ALTER TABLE v MODIFY QUERY SELECT n FROM more; INSERT INTO more VALUES (61)")
    server.send([4, 5])
    server.serve(drain=True)
    assert server.numbers() == [*range(4), 50, 51, 60, 61]
    server.sql("ALTER TABLE v MODIFY QUERY SELECT n FROM queue")
    server.serve(drain=True)
    assert server.numbers() == [*range(6), 50, 51, 60, 61]
    assert server.numbers("others") == list(range(6))


def test_a_view_that_is_made_anew_reads_a_topic_that_was_made_anew(server: Server) -> None:
    """Where its predecessor was, nothing is any more: it begins with the earliest message."""
    server.sql(server.queue() + KEPT + VIEW)
    server.send(range(8))
    server.serve(drain=True)
    admin.delete_topic(server.properties, server.source)
    admin.create_topic(server.properties, server.source, partitions=2)
    server.send([10, 11])
    with pytest.raises(PenstockError) as caught:
        server.serve(drain=True)
    assert caught.value.code == "TOPIC_RECREATED"
    server.sql("DROP VIEW v;" + VIEW)
    server.serve(drain=True)
    assert server.numbers() == [*range(8), 10, 11]
