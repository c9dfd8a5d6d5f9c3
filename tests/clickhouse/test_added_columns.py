"""Rows of one key where older ones lack a column that was added: it has its default, also there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.clickhouse.warehouse import Warehouse

pytestmark = pytest.mark.spark

ADDED = """
    CREATE TABLE a (k Int64) ENGINE = AggregatingMergeTree ORDER BY k;
    INSERT INTO a VALUES (1), (2);
    ALTER TABLE a ADD COLUMN tags SimpleAggregateFunction(groupArrayArray, Array(String)),
        ADD COLUMN one SimpleAggregateFunction(groupUniqArrayArray, Array(Int8)),
        ADD COLUMN lo SimpleAggregateFunction(min, Int64),
        ADD COLUMN hi SimpleAggregateFunction(max, Int64),
        ADD COLUMN first SimpleAggregateFunction(any, String),
        ADD COLUMN bits SimpleAggregateFunction(groupBitAnd, UInt8),
        ADD COLUMN maybe SimpleAggregateFunction(min, Nullable(Int64)),
        ADD COLUMN total AggregateFunction(sum, Int64), ADD COLUMN plain Int64;
    INSERT INTO a SELECT 1, ['a'], [4], 5, -5, 'x', 7, 3, sumState(toInt64(6)), 8;
    CREATE TABLE r (k Int64, v Int8) ENGINE = ReplacingMergeTree(v) ORDER BY k;
    INSERT INTO r VALUES (1, 2);
    ALTER TABLE r ADD COLUMN s String;
    INSERT INTO r VALUES (1, 1, 'x');
    CREATE TABLE c (k Int64, sign Int8) ENGINE = CollapsingMergeTree(sign) ORDER BY k;
    INSERT INTO c VALUES (1, 1), (2, -1);
    ALTER TABLE c ADD COLUMN n Int64;
    INSERT INTO c VALUES (1, -1, 7), (1, 1, 8);
    CREATE TABLE v (k Int64, sign Int8, n UInt8)
        ENGINE = VersionedCollapsingMergeTree(sign, n) ORDER BY k;
    INSERT INTO v VALUES (1, 1, 1), (2, 1, 1);
    ALTER TABLE v ADD COLUMN s String;
    INSERT INTO v VALUES (1, -1, 1, 'y'), (3, 1, 1, 'z');
    CREATE TABLE s (k Int64, m Int64) ENGINE = SummingMergeTree ORDER BY k;
    INSERT INTO s VALUES (1, 1), (2, 0), (3, 3);
    ALTER TABLE s ADD COLUMN n Int64, ADD COLUMN w String;
    INSERT INTO s VALUES (1, 1, 5, 'x'), (3, -3, 0, 'y');
"""
_ASKED = (
    "SELECT k, tags, arraySort(one), lo, hi, first, bits, maybe, finalizeAggregation(total), plain "
    "FROM a{} ORDER BY k",
    "SELECT * FROM r{} ORDER BY k",
    "SELECT k, sign, n FROM c{} WHERE sign = 1 ORDER BY k",
    "SELECT * FROM v{} ORDER BY k",
    "SELECT * FROM s{} ORDER BY k",
)
# What ClickHouse 26.9 gives.
ROWS = [
    [1, ["a"], [4], 0, 0, "", 0, 3, 6, 0],
    [2, [], [], 0, 0, "", 0, None, 0, 0],
    [1, 2, ""],
    [1, 1, 8],
    [2, 1, 1, ""],
    [3, 1, 1, "z"],
    [1, 2, 5, ""],
]


def asked() -> str:
    """As FINAL shows them, and as OPTIMIZE leaves them."""
    optimized = "".join(f"OPTIMIZE TABLE {name} FINAL;\n" for name in "arcvs")
    shown = " FORMAT JSONCompactEachRow;\n"
    final, left = ("".join(query.format(way) + shown for query in _ASKED) for way in (" FINAL", ""))
    return f"{final}{optimized}{left}"


def test_older_rows_are_merged_with_the_defaults_of_their_types(warehouse: Warehouse) -> None:
    assert warehouse.run(ADDED + asked()) == ROWS * 2
