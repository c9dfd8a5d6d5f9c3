"""OPTIMIZE removes files that were replaced, but none that a view has yet to read."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from penstock.connectors import merge_tree
from penstock.errors import PenstockError
from penstock.runtime import inserted

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from tests.clickhouse.server import Server

pytestmark = pytest.mark.spark

TABLES = """
    CREATE TABLE a (n Int64, s String) ENGINE = ReplacingMergeTree PARTITION BY n % 2 ORDER BY n
    SETTINGS old_parts_lifetime = 0;
    CREATE TABLE b (n Int64) ENGINE = MergeTree ORDER BY n;
    CREATE MATERIALIZED VIEW v TO b AS SELECT n FROM a;
"""
_WEEK_S = 7 * 24 * 60 * 60


@pytest.fixture
def server(server_at_rest: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """Its files may go as soon as they are replaced; views read when they are run."""
    monkeypatch.setattr(merge_tree, "LEAST_LIFETIME_S", 0)
    monkeypatch.setattr(inserted.Inserted, "hand_on", lambda *_, **__: True)
    server_at_rest.sql(TABLES)
    return server_at_rest


def _folder(server: Server) -> Path:
    (folder,) = (server.warehouse.path / "tables").glob("a-*")
    return folder


def _files(server: Server) -> int:
    return len(list(_folder(server).rglob("*.parquet")))


def _insert(server: Server, *numbers: int) -> None:
    for number in numbers:
        server.sql(f"INSERT INTO a VALUES ({number}, 'x');")


def test_replaced_files_go_once_views_have_read_them(server: Server) -> None:
    _insert(server, 1, 2, 3)
    server.sql("OPTIMIZE TABLE a FINAL;")
    behind = _files(server)
    server.serve(drain=True)
    assert server.numbers("b") == [1, 2, 3]
    server.sql("OPTIMIZE TABLE a;")
    # Three of the rows, and one for each of two partitions.
    assert (behind, _files(server)) == (5, 2)
    server.sql("ALTER TABLE a ADD COLUMN c UInt8 DEFAULT n; ALTER TABLE a DROP PARTITION 0;")
    server.sql("OPTIMIZE TABLE a;")
    assert (server.numbers("a"), _files(server)) == ([1, 3], 1)


def test_a_view_that_is_detached_finds_what_it_has_not_read(server: Server) -> None:
    server.serve(drain=True)
    server.sql("DETACH TABLE v;")
    _insert(server, 1, 2)
    server.sql("OPTIMIZE TABLE a FINAL; TRUNCATE TABLE a; OPTIMIZE TABLE a;")
    assert server.numbers("a") == []
    server.sql("ATTACH TABLE v;")
    server.serve(drain=True)
    assert server.numbers("b") == [1, 2]
    server.sql("OPTIMIZE TABLE a;")
    assert _files(server) == 0


@pytest.mark.slow
def test_nothing_goes_while_a_view_is_far_behind(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    _insert(server, 1, 3)
    for commit in (_folder(server) / "_delta_log").glob("*.json"):
        past = commit.stat().st_mtime - _WEEK_S
        os.utime(commit, (past, past))
    server.sql("OPTIMIZE TABLE a FINAL;")
    assert "a: its old files stay: the view v has not read all of them." in caplog.text
    assert _files(server) == 3
    server.serve(drain=True)
    assert server.numbers("b") == [1, 3]


@pytest.mark.slow
def test_what_has_no_new_rows_keeps_no_file(server: Server) -> None:
    """A view that has read all is not behind if a table is only written anew, for weeks."""
    _insert(server, 1, 3)
    server.serve(drain=True)
    for _ in range(2):
        server.sql("OPTIMIZE TABLE a FINAL;")
        for commit in (_folder(server) / "_delta_log").glob("*.json"):
            past = commit.stat().st_mtime - _WEEK_S
            os.utime(commit, (past, past))
    server.sql("OPTIMIZE TABLE a;")
    assert (_files(server), server.numbers("a")) == (1, [1, 3])
    _insert(server, 5)
    server.serve(drain=True)
    assert server.numbers("b") == [1, 3, 5]


@pytest.mark.slow
def test_files_of_a_table_without_views_stay_for_their_time(
    server_at_rest: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server_at_rest.sql(TABLES + "DROP VIEW v;")
    _insert(server_at_rest, 1, 2)
    server_at_rest.sql("OPTIMIZE TABLE a FINAL;")
    assert _files(server_at_rest) == 4
    monkeypatch.setattr(merge_tree, "LEAST_LIFETIME_S", 0)
    server_at_rest.sql("ALTER TABLE a MODIFY SETTING old_parts_lifetime = 1;")
    time.sleep(1.1)
    server_at_rest.sql("OPTIMIZE TABLE a;")
    assert (_files(server_at_rest), server_at_rest.numbers("a")) == (2, [1, 2])


def _clean_log(server: Server, spark: SparkSession) -> int:
    """As Delta does it after `delta.logRetentionDuration`; the first commit that is left."""
    log = _folder(server) / "_delta_log"
    logs = spark.sparkContext._jvm.org.apache.spark.sql.delta.DeltaLog
    logs.forTable(spark._jsparkSession, str(log.parent)).checkpoint()
    *old, newest = sorted(log.glob("*.json"))
    for commit in old:
        commit.unlink()
    logs.clearCache()
    return int(newest.stem)


@pytest.mark.slow
def test_a_view_whose_table_forgets_old_commits(server: Server, spark: SparkSession) -> None:
    """One that has read them goes on; one that has not is told, and nothing is left out."""
    _insert(server, 1)
    server.serve(drain=True)
    unread = _clean_log(server, spark) + 1
    _insert(server, 2)
    server.serve(drain=True)
    assert server.numbers("b") == [1, 2]
    server.sql("DETACH TABLE v; INSERT INTO a VALUES (3, 'x'); INSERT INTO a VALUES (4, 'x');")
    first = _clean_log(server, spark)
    server.sql("ATTACH TABLE v;")
    with pytest.raises(PenstockError) as caught:
        server.serve(drain=True)
    assert caught.value.code == "INSERTS_GONE"
    assert (
        f"what the commits {unread + 1} to {first - 1} of `a` may have inserted"
        in caught.value.text
    )
    assert (server.numbers("a"), server.numbers("b")) == ([1, 2, 3, 4], [1, 2])
    server.sql(
        "INSERT INTO b SELECT n FROM a WHERE n NOT IN (SELECT n FROM b); DROP VIEW v;"
        "CREATE MATERIALIZED VIEW v TO b AS SELECT n FROM a; INSERT INTO a VALUES (5, 'x');"
    )
    server.serve(drain=True)
    assert server.numbers("b") == [1, 2, 3, 4, 5]
