"""TTL: rows and values of columns whose time has come go where a table is merged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.clickhouse.warehouse import Warehouse

pytestmark = pytest.mark.spark

_ROWS = """
    CREATE TABLE t (id UInt64, at DateTime, v String) ENGINE = MergeTree ORDER BY id
    TTL at + INTERVAL 1 DAY, at DELETE WHERE v = 'short';
    CREATE TABLE copies (id UInt64) ENGINE = MergeTree ORDER BY id;
    CREATE MATERIALIZED VIEW copy TO copies AS SELECT id FROM t;
    INSERT INTO t SELECT 1, now(), 'stays';
    INSERT INTO t SELECT 2, now() - 90000, 'a day ago';
    INSERT INTO t SELECT 3, now() - 10, 'short';
    SELECT count() FROM t FORMAT JSONCompactEachRow;
    OPTIMIZE TABLE t;
    SELECT id FROM t FORMAT JSONCompactEachRow;
    ALTER TABLE t MODIFY TTL toDate(at) + INTERVAL 1 YEAR;
    INSERT INTO t SELECT 4, '2020-01-01 00:00:00', 'old';
    INSERT INTO t SELECT 5, toDateTime(0), 'also old';
    ALTER TABLE t MODIFY TTL at;
    SELECT id FROM t FORMAT JSONCompactEachRow;
    SELECT id FROM copies ORDER BY id FORMAT JSONCompactEachRow;
"""
# ClickHouse 26.9 gives these rows after the same statements; so do the others here.
_COLUMNS = """
    CREATE TABLE c (id UInt64, at DateTime, a String TTL at + INTERVAL 1 DAY,
        b UInt16 DEFAULT id + 1 TTL at) ENGINE = MergeTree ORDER BY id;
    INSERT INTO c SELECT 1, now() - 100, 'x', 9;
    INSERT INTO c SELECT 2, now() - 90000, 'y', 9;
    INSERT INTO c SELECT 3, toDateTime(0), 'zero', 9;
    INSERT INTO c SELECT 4, now() + 1000, 'one', 9;
    INSERT INTO c SELECT 5, '2106-02-07 00:00:00', 'past the range', 9;
    OPTIMIZE TABLE c FINAL;
    SELECT id, a, b FROM c ORDER BY id FORMAT JSONCompactEachRow;
"""
_MERGED = """
    CREATE TABLE r (id UInt64, at DateTime, v UInt8) ENGINE = ReplacingMergeTree(v) ORDER BY id
    TTL at;
    INSERT INTO r SELECT 1, now() - 100, 5;
    INSERT INTO r SELECT 2, now() + 1000, 5;
    INSERT INTO r SELECT 1, now() + 1000, 3;
    INSERT INTO r SELECT 2, now() - 100, 3;
    OPTIMIZE TABLE r FINAL;
    SELECT id, v FROM r FORMAT JSONCompactEachRow;
"""


@pytest.mark.slow
def test_rows_go_and_views_see_nothing_of_it(warehouse: Warehouse) -> None:
    assert warehouse.run(_ROWS) == [[3], [1], [5], [1], [2], [3], [4], [5]]


def test_values_of_columns_become_their_defaults(warehouse: Warehouse) -> None:
    stay = [[4, "one", 9], [5, "past the range", 9]]
    assert warehouse.run(_COLUMNS) == [[1, "x", 2], [2, "", 3], [3, "", 9], *stay]


def test_a_row_goes_by_the_time_it_has_when_it_is_merged(warehouse: Warehouse) -> None:
    assert warehouse.run(_MERGED) == [[2, 5]]
