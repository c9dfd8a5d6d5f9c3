"""DELETE and UPDATE: what becomes of rows at rest, and what views see of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock import PenstockError
from penstock.runtime import inserted

if TYPE_CHECKING:
    from tests.clickhouse.server import Server
    from tests.clickhouse.warehouse import Warehouse

pytestmark = pytest.mark.spark

# What ClickHouse 26.9 answers after the same statements, with `mutations_sync = 2`.
TABLE = """
    CREATE TABLE t (id UInt64, n Nullable(Int64), s String, m Int64 MATERIALIZED ifNull(n, 0) + 1,
        e Enum8('a' = 1, 'b' = 2), a Array(UInt8), at DateTime64(3, 'UTC'))
    ENGINE = MergeTree PARTITION BY id % 2 ORDER BY id;
    INSERT INTO t VALUES (1, 1, 'x', 'a', [1], '2024-05-01 00:00:00.5'), (2, NULL, 'y', 'b', [], 0),
        (3, 3, 'z', 'a', [3, 3], 0), (4, 4, 'w', 'b', [4], 0);
"""
CHANGES = """
    ALTER TABLE t UPDATE n = n + 10, s = concat(s, toString(n)), e = 2, a = arrayPushBack(a, id),
        at = at + INTERVAL 1 DAY WHERE n >= 3;
    SELECT id, n, s, m, e, a FROM t ORDER BY id FORMAT JSONCompactEachRow;
    ALTER TABLE t UPDATE n = NULL IN PARTITION 1 WHERE 1;
    ALTER TABLE t DELETE WHERE n IS NULL AND s != 'y', UPDATE s = 'left' WHERE 1;
    SELECT id, n, s, m FROM t ORDER BY id FORMAT JSONCompactEachRow;
    DELETE FROM t WHERE NOT n;
    DELETE FROM t WHERE e = 'b' AND id > 2;
    SELECT id FROM t FORMAT JSONCompactEachRow;
"""
CHANGED = [
    [1, 1, "x", 2, "a", [1]],
    [2, None, "y", 1, "b", []],
    [3, 13, "z3", 14, "b", [3, 3, 3]],
    [4, 14, "w4", 15, "b", [4, 4]],
    [2, None, "left", 1],
    [4, 14, "left", 15],
    [2],
]


def test_rows_go_and_change(warehouse: Warehouse) -> None:
    assert warehouse.run(TABLE + CHANGES) == CHANGED


def test_a_value_that_cannot_be_is_told(warehouse: Warehouse) -> None:
    """And changes nothing."""
    with pytest.raises(PenstockError) as caught:
        warehouse.run(TABLE + "ALTER TABLE t UPDATE n = toInt64(s) WHERE id = 2;")
    assert caught.value.code == "BAD_VALUE"
    asked = "SELECT id, n FROM t WHERE id < 3 ORDER BY id FORMAT JSONCompactEachRow;"
    assert warehouse.run(asked) == [[1, 1], [2, None]]


def test_which_row_is_the_last_stays(warehouse: Warehouse) -> None:
    script = """
        CREATE TABLE r (k UInt64, s String) ENGINE = ReplacingMergeTree ORDER BY k;
        INSERT INTO r VALUES (1, 'old'), (2, 'only');
        INSERT INTO r VALUES (1, 'new');
        ALTER TABLE r UPDATE s = concat(s, '!') WHERE s LIKE 'o%';
        SELECT * FROM r FINAL ORDER BY k FORMAT JSONCompactEachRow;
        DELETE FROM r WHERE s = 'new';
        SELECT * FROM r FINAL ORDER BY k FORMAT JSONCompactEachRow;
    """
    assert warehouse.run(script) == [[1, "new"], [2, "only!"], [1, "old!"], [2, "only!"]]


def test_views_see_rows_as_they_were_inserted(
    server_at_rest: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inserted.Inserted, "hand_on", lambda *_, **__: True)
    server_at_rest.sql("""
        CREATE TABLE a (n Int64) ENGINE = MergeTree ORDER BY tuple();
        CREATE TABLE b (n Int64) ENGINE = MergeTree ORDER BY n;
        CREATE MATERIALIZED VIEW v TO b AS SELECT n FROM a;
        INSERT INTO a VALUES (1), (2), (3);
        DELETE FROM a WHERE n = 2;
        ALTER TABLE a UPDATE n = 30 WHERE n = 3;
    """)
    server_at_rest.serve(drain=True)
    assert (server_at_rest.numbers("a"), server_at_rest.numbers("b")) == ([1, 30], [1, 2, 3])
