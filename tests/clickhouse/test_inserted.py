"""Views of tables at rest get what is inserted while they are what they are, as in ClickHouse."""

from __future__ import annotations

import shutil
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from penstock.plan.clickhouse.serve import views_of
from penstock.runtime import inserted, signals
from penstock.runtime.signals import ChangeLock, Signals

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.clickhouse.server import Server

pytestmark = pytest.mark.spark

TABLES = "".join(
    f"CREATE TABLE {name} (n Int64) ENGINE = MergeTree ORDER BY n;" for name in ("a", "b", "c")
)
FIRST = "CREATE MATERIALIZED VIEW v TO b AS SELECT a.n + 10 AS n FROM a WHERE a.n > 0;"
SECOND = "CREATE MATERIALIZED VIEW w TO c AS SELECT sum(n) AS n FROM b;"


@pytest.fixture
def behind(server_at_rest: Server, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Inserts a number that views have not read when it returns."""
    server_at_rest.sql(TABLES + FIRST + SECOND)

    def insert(number: int) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(inserted.Inserted, "hand_on", lambda *_, **__: True)
            server_at_rest.sql(f"INSERT INTO a VALUES ({number})")

    return insert


def test_what_was_inserted_before_a_change_is_read_before_it(
    server_at_rest: Server, behind: Callable[[int], None]
) -> None:
    """By the view as it was, through the view before it; and only once."""
    server, kept = server_at_rest, []
    for number, change in enumerate(
        ("DROP VIEW w;" + SECOND, "ALTER TABLE w MODIFY QUERY SELECT -n AS n FROM b;"), 1
    ):
        behind(number)
        assert server.numbers("c") == kept
        server.sql(change)
        kept.append(number + 10)
        assert server.numbers("c") == kept
    behind(3)
    server.sql("TRUNCATE TABLE c;")
    assert server.numbers("c") == []
    behind(4)
    server.sql("DROP TABLE b;")
    server.serve(drain=True)
    assert server.numbers("c") == [-14]


def test_a_view_that_cannot_read_can_be_dropped(
    server_at_rest: Server, caplog: pytest.LogCaptureFixture
) -> None:
    server = server_at_rest
    server.sql(TABLES + FIRST)
    server.sql("ALTER TABLE v MODIFY QUERY SELECT toInt64(concat('x', toString(n))) AS n FROM a")
    server.sql("INSERT INTO a VALUES (3)")
    assert "v: it has not read all that was inserted: " in caplog.text
    caplog.clear()
    server.sql("DROP VIEW v")
    assert "v: it has not read all that was inserted: " in caplog.text
    assert views_of(server.warehouse, server.overrides, ()).queries == ()


def test_an_insert_is_read_by_views_before_it_ends(server_at_rest: Server) -> None:
    """Each INSERT is a block, and one without rows for a view is none."""
    server = server_at_rest
    server.sql(TABLES + FIRST + SECOND + "INSERT INTO a VALUES (1), (2);")
    assert (server.numbers("b"), server.numbers("c")) == ([11, 12], [23])
    server.sql("INSERT INTO a VALUES (3); INSERT INTO a VALUES (4); INSERT INTO a VALUES (-5);")
    assert (server.numbers("b"), server.numbers("c")) == ([11, 12, 13, 14], [13, 14, 23])
    server.serve()
    server.await_state("v", "running")
    server.await_state("w", "running")
    server.sql("INSERT INTO a VALUES (5)")
    assert server.numbers("c") == [13, 14, 15, 23]
    server.sql("INSERT INTO a VALUES (-6); INSERT INTO a VALUES (6)")
    assert server.numbers("c") == [13, 14, 15, 16, 23]


def test_an_insert_waits_once_for_who_changes_definitions(
    server_at_rest: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """And only where views are behind its table."""
    monkeypatch.setattr(signals, "STOPPED_WITHIN_S", 0.1)
    server_at_rest.sql(TABLES + FIRST)
    told = "Views read what was inserted when they run next"
    with ChangeLock(server_at_rest.warehouse.path):
        server_at_rest.sql("INSERT INTO c VALUES (1)")
        assert told not in caplog.text
        server_at_rest.sql("INSERT INTO a VALUES (1); INSERT INTO a VALUES (3)")
    assert caplog.text.count(told) == 1
    assert server_at_rest.numbers("b") == []
    server_at_rest.sql("INSERT INTO a VALUES (2)")
    assert server_at_rest.numbers("b") == [11, 12, 13]


def test_views_that_another_process_runs_are_awaited_together_and_not_for_ever(
    server_at_rest: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nor longer than it runs them; definitions may be changed meanwhile."""
    server_at_rest.sql(TABLES + FIRST + FIRST.replace(" v ", " w ").replace(" b ", " c "))
    told = Signals(server_at_rest.warehouse.path)
    passed = [0.0]

    def polled(_: float) -> None:
        ChangeLock(server_at_rest.warehouse.path, within_s=0).release()
        passed.append(passed[-1] + 20)

    clock = SimpleNamespace(monotonic=lambda: passed[-1], sleep=polled)
    monkeypatch.setattr(inserted, "time", clock)
    told.serve(["v", "w"], 0)
    server_at_rest.sql("INSERT INTO a VALUES (1)")
    assert passed == [0, 20, 40]
    late = "it has not read all that was inserted after"
    assert caplog.text.count(late) == 1
    clock.sleep = lambda _: told.end()
    server_at_rest.sql("INSERT INTO a VALUES (2)")
    assert caplog.text.count(late) == 1


def test_a_view_whose_table_is_lost_can_be_dropped(server_at_rest: Server) -> None:
    server = server_at_rest
    server.sql(TABLES + FIRST)
    (folder,) = (server.warehouse.path / "tables").glob("a-*")
    shutil.rmtree(folder)
    server.sql("DROP VIEW v")
    assert views_of(server.warehouse, server.overrides, ()).queries == ()


@pytest.mark.slow
def test_a_star_grows_while_its_view_runs(server_at_rest: Server) -> None:
    """As in ClickHouse 26.9, which has these rows."""
    server = server_at_rest
    server.sql(TABLES + "CREATE MATERIALIZED VIEW v TO b AS SELECT * FROM a;")
    server.serve()
    server.await_state("v", "running")
    server.sql("ALTER TABLE a ADD COLUMN s String; INSERT INTO a VALUES (1, 'x');")
    altered = "ALTER TABLE b ADD COLUMN m UInt8 DEFAULT 7, ADD COLUMN s String;"
    server.sql(f"{altered} INSERT INTO a VALUES (2, 'y');")
    server.await_numbers([1, 2], "b")
    server.await_state("v", "running")
    shown = "SELECT * FROM b ORDER BY n FORMAT JSONCompactEachRow;"
    assert server.sql(shown) == [[1, 7, ""], [2, 7, "y"]]
