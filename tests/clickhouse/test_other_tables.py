"""Views whose tables become others: what is inserted meanwhile goes to one of both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.catalog.warehouse import Warehouse

if TYPE_CHECKING:
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
