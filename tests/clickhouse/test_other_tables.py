"""Views whose tables become others: what is inserted meanwhile goes to one of both."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from penstock.catalog.warehouse import Warehouse
from penstock.runtime import steps
from penstock.runtime.begin_view import begin_view
from tests.clickhouse.server import WAIT_S
from tests.helpers import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.plan.steps import BeginView, RunOnce
    from tests.clickhouse.server import Server

pytestmark = pytest.mark.spark

TABLES = "".join(
    f"CREATE TABLE {name} (n Int64) ENGINE = MergeTree ORDER BY n;" for name in ("a", "b", "c")
)
VIEW = "CREATE MATERIALIZED VIEW v TO c AS SELECT n FROM a;"
EXCHANGE = "EXCHANGE TABLES a AND b;"


def test_a_view_reads_on_where_a_change_of_its_table_broke_off(
    server_at_rest: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = server_at_rest

    def crash(kept: Warehouse, definitions: object) -> None:
        raise OSError("The disk is gone.")

    server.sql(TABLES + VIEW + "INSERT INTO a VALUES (1);")
    with monkeypatch.context() as broken:
        broken.setattr(Warehouse, "write", crash)
        with pytest.raises(OSError, match="The disk is gone"):
            server.sql(EXCHANGE)
    server.sql("INSERT INTO a VALUES (2); INSERT INTO b VALUES (10);")
    assert server.numbers("c") == [1, 2]
    server.sql(EXCHANGE + "INSERT INTO a VALUES (3);")
    assert server.numbers("c") == [1, 2, 3]


def test_a_view_that_comes_back_to_a_table_reads_what_comes_then(server_at_rest: Server) -> None:
    server = server_at_rest
    server.sql(TABLES + VIEW + "INSERT INTO a VALUES (1);")
    server.sql(f"{EXCHANGE} INSERT INTO b VALUES (2); {EXCHANGE} INSERT INTO a VALUES (3);")
    assert server.numbers("c") == [1, 3]
    both = "ALTER TABLE v MODIFY QUERY SELECT n FROM a UNION ALL SELECT n FROM b;"
    server.sql(f"{both} INSERT INTO b VALUES (4); ALTER TABLE v MODIFY QUERY SELECT n FROM a;")
    server.sql(f"INSERT INTO b VALUES (5); {both} INSERT INTO b VALUES (6);")
    server.sql("INSERT INTO a VALUES (7);")
    assert server.numbers("c") == [1, 3, 4, 6, 7]


def test_what_is_inserted_while_a_table_is_replaced_reaches_its_views(
    server_at_rest: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Into the old table while the new one is filled; into the new one from then on."""
    server = server_at_rest
    others = [
        threading.Thread(target=server.sql, args=[f"INSERT INTO a VALUES ({number})"])
        for number in (9, 10)
    ]
    filled, waits = steps.StepRun._run_once, []
    server.sql(TABLES + VIEW + "INSERT INTO a VALUES (1);")
    (log,) = (server.warehouse.path / "tables").glob("a-*/_delta_log")
    commits = len(list(log.glob("*.json")))

    def fill(run: steps.StepRun, action: RunOnce) -> bool:
        done = filled(run, action)
        if action.unseen:
            others[0].start()
            wait_until(lambda: len(list(log.glob("*.json"))) > commits, timeout_s=WAIT_S)
        return done

    def begin(session: SparkSession, folder: Path, action: BeginView) -> None:
        others[1].start()
        others[1].join(5)
        waits.append(others[1].is_alive() and len(list(log.glob("*.json"))) == commits + 1)
        begin_view(session, folder, action)

    with monkeypatch.context() as patched:
        patched.setattr(steps.StepRun, "_run_once", fill)
        patched.setattr(steps, "begin_view", begin)
        server.sql("CREATE OR REPLACE TABLE a ENGINE = MergeTree ORDER BY n AS SELECT 5 AS n;")
    for other in others:
        other.join(WAIT_S)
    assert waits == [True]
    assert (server.numbers("a"), server.numbers("c")) == ([5, 10], [1, 9, 10])
