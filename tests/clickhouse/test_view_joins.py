"""Views over a block of their first table and what others hold when it comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.clickhouse.server import Server
    from tests.clickhouse.warehouse import Warehouse

KEPT = "CREATE TABLE kept (n Int64) ENGINE = MergeTree ORDER BY n;"


@pytest.mark.spark
def test_tables_that_are_joined_are_read_as_they_are(warehouse: Warehouse) -> None:
    """What comes to them later changes nothing; and they are not followed."""
    shown = "SELECT id, name, total, most FROM t ORDER BY total FORMAT JSONCompactEachRow;"
    found = warehouse.run(
        "CREATE TABLE a (id Int32, n Int64) ENGINE = MergeTree ORDER BY id;"
        "CREATE TABLE b (id Int32, name String, v Int8) ENGINE = ReplacingMergeTree(v) ORDER BY id;"
        "CREATE TABLE t (id Int32, name String, total Int64, most Int8) "
        "ENGINE = MergeTree ORDER BY id;"
        "CREATE MATERIALIZED VIEW v TO t AS SELECT a.id AS id, x.name AS name, sum(a.n) AS total, "
        "(SELECT max(v) FROM b) AS most FROM a LEFT JOIN b AS x FINAL ON a.id = x.id "
        "WHERE a.id NOT IN (SELECT id FROM b WHERE name = 'hidden') GROUP BY id, name;"
        "INSERT INTO b VALUES (1, 'old', 1), (1, 'one', 2), (3, 'hidden', 1);"
        "INSERT INTO a VALUES (1, 10), (1, 20), (2, 40), (3, 50);"
        "INSERT INTO b VALUES (2, 'two', 5);"
        "INSERT INTO a VALUES (2, 100);"
        f"DETACH TABLE b; ATTACH TABLE b; INSERT INTO a VALUES (2, 200); {shown}"
    )
    assert found == [
        [1, "one", 30, 2],
        [2, "", 40, 2],
        [2, "two", 100, 5],
        [2, "two", 200, 5],
    ]


@pytest.mark.spark
def test_a_block_without_rows_is_none(warehouse: Warehouse) -> None:
    """It would else bring all rows of the table that is joined."""
    tables = "".join(KEPT.replace("kept", name) for name in ("kept", "a", "b", "dim"))
    found = warehouse.run(
        f"{tables} CREATE MATERIALIZED VIEW v TO b AS SELECT n FROM a WHERE n > 0;"
        "CREATE MATERIALIZED VIEW w TO kept AS SELECT dim.n AS n FROM b RIGHT JOIN dim "
        "ON b.n = dim.n; INSERT INTO dim VALUES (1), (2); INSERT INTO a VALUES (-5);"
        "SELECT n FROM kept ORDER BY n FORMAT JSONCompactEachRow;"
        "INSERT INTO a VALUES (1); SELECT n FROM kept ORDER BY n FORMAT JSONCompactEachRow;"
    )
    assert found == [[1], [2]]


@pytest.mark.kafka
def test_a_view_that_names_its_table_twice_sees_one_block(server: Server) -> None:
    """It leaves out what its target has; also what a message says twice it takes twice."""
    server.sql(
        server.queue()
        + KEPT
        + "CREATE MATERIALIZED VIEW v TO kept AS SELECT n FROM queue WHERE n NOT IN "
        "(SELECT n FROM kept WHERE n IN (SELECT n FROM queue))"
    )
    server.send([1, 2, 2])
    server.serve(drain=True)
    server.send([2, 3, 1, 4])
    server.serve(drain=True)
    server.serve(drain=True)
    assert server.numbers() == [1, 2, 2, 3, 4]
