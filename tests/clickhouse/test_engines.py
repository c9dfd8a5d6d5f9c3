"""Tables that merge rows of one key: states of aggregates, sums, rows that collapse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock import PenstockError

if TYPE_CHECKING:
    from tests.clickhouse.warehouse import Warehouse

pytestmark = pytest.mark.spark

_MADE = (
    "CREATE TABLE events (day Date, user String, x Int32, e Enum8('lo' = 1, 'hi' = 2)) "
    "ENGINE = MergeTree ORDER BY day",
    """CREATE TABLE daily (day Date, users AggregateFunction(uniq, String),
        total AggregateFunction(sum, Int32), mean AggregateFunction(avg, Int32),
        rows AggregateFunction(count), low AggregateFunction(min, Int32),
        top AggregateFunction(max, Enum8('lo' = 1, 'hi' = 2)),
        who AggregateFunction(argMax, String, Int32),
        last SimpleAggregateFunction(max, Int32), n SimpleAggregateFunction(sum, UInt64),
        tags SimpleAggregateFunction(groupUniqArrayArray, Array(String)))
        ENGINE = AggregatingMergeTree ORDER BY day""",
    """CREATE MATERIALIZED VIEW fill TO daily AS
        SELECT day, uniqState(user) AS users, sumState(x) AS total, avgState(x) AS mean,
            countState() AS rows, minState(x) AS low, maxState(e) AS top,
            argMaxState(user, x) AS who, maxSimpleState(x) AS last, count() AS n,
            groupUniqArray(user) AS tags
        FROM events GROUP BY day""",
    "INSERT INTO events VALUES ('2024-05-01', 'ann', 3, 'lo'), ('2024-05-01', 'bob', -5, 'hi'), "
    "('2024-05-02', 'ann', 7, 'lo')",
    "INSERT INTO events VALUES ('2024-05-01', 'ann', 11, 'lo'), ('2024-05-02', 'cy', 0, 'lo')",
    "CREATE TABLE c (id UInt64, v Int32, sign Int8) ENGINE = CollapsingMergeTree(sign) ORDER BY id",
    "INSERT INTO c VALUES (1, 10, 1), (2, 20, 1), (3, 30, -1), (4, 40, 1)",
    "INSERT INTO c VALUES (1, 10, -1), (1, 11, 1), (2, 20, -1)",
    "CREATE TABLE s (id UInt64, a UInt32, b Float64, m SimpleAggregateFunction(min, Int32)) "
    "ENGINE = SummingMergeTree(a) ORDER BY id",
    "INSERT INTO s VALUES (1, 2, 0.5, 4), (2, 0, 9, 1)",
    "INSERT INTO s VALUES (1, 3, 7, -4)",
)
VERSIONED = (
    "CREATE TABLE v (id UInt64, s String, sign Int8, ver UInt8) "
    "ENGINE = VersionedCollapsingMergeTree(sign, ver) ORDER BY id",
    "INSERT INTO v VALUES (1, 'a', 1, 1), (2, 'x', 1, 1), (3, 'neg', -1, 1), (4, 'p', 1, 2)",
    "INSERT INTO v VALUES (1, 'a', -1, 1), (1, 'b', 1, 2), (4, 'q', 1, 2)",
    "INSERT INTO v VALUES (4, '-', -1, 2), (5, 'm', -1, 1), (5, 'n', 1, 1)",
    "INSERT INTO v VALUES (6, '1', -1, 1), (6, '2', -1, 1)",
    "INSERT INTO v VALUES (6, '3', 1, 1)",
    "SELECT * FROM v FINAL ORDER BY id FORMAT JSONCompactEachRow",
    "OPTIMIZE TABLE v FINAL",
    "SELECT * FROM v ORDER BY id FORMAT JSONCompactEachRow",
)
LEFT = [[1, "b", 1, 2], [2, "x", 1, 1], [3, "neg", -1, 1], [4, "p", 1, 2], [6, "1", -1, 1]]
_MERGED = (
    "uniqMerge(users), sumMerge(total), avgMerge(mean), countMerge(rows), minMerge(low), "
    "maxMerge(top), argMaxMerge(who)"
)
_ASKED = (
    f"SELECT day, {_MERGED}, max(last), sum(n) FROM daily GROUP BY day ORDER BY day",
    f"SELECT {_MERGED} FROM daily",
    "SELECT day, finalizeAggregation(users), finalizeAggregation(mean), last, n, arraySort(tags) "
    "FROM daily FINAL ORDER BY day",
    "SELECT sumMerge(t) FROM (SELECT sumMergeState(total) AS t FROM daily GROUP BY day)",
    "SELECT countMerge(rows) FROM daily WHERE day > '2025-01-01'",
    "SELECT id, v, sign FROM c FINAL ORDER BY id, sign",
    "SELECT id, a, b, m FROM s FINAL ORDER BY id",
    "SELECT toTypeName(users), toTypeName(last) FROM daily LIMIT 1",
    "SELECT sumMerge(s), uniqMerge(u) FROM (SELECT sumStateIf(x, x > 0) AS s, uniqState(user) AS u "
    "FROM events)",
)


# What ClickHouse 26.9 gives after the same statements.
_ROWS = [
    ["2024-05-01", 2, 9, 3, 3, -5, "hi", "ann", 11, 3],
    ["2024-05-02", 2, 7, 3.5, 2, 0, "lo", "ann", 7, 2],
    [3, 16, 3.2, 5, -5, "hi", "ann"],
    ["2024-05-01", 2, 3, 11, 3, ["ann", "bob"]],
    ["2024-05-02", 2, 3.5, 7, 2, ["ann", "cy"]],
    [16],
    [0],
    [1, 11, 1],
    [4, 40, 1],
    [1, 5, 0.5, 4],
    ["AggregateFunction(uniq, String)", "SimpleAggregateFunction(max, Int32)"],
    [21, 3],
]


def _script(statements: tuple[str, ...]) -> str:
    return "".join(f"{one};\n" for one in statements)


def test_states_are_kept_merged_and_finished(warehouse: Warehouse) -> None:
    asked = tuple(f"{query} FORMAT JSONCompactEachRow" for query in _ASKED)
    found = warehouse.run(_script(_MADE + asked))
    assert found == _ROWS
    optimized = ("OPTIMIZE TABLE daily FINAL", "OPTIMIZE TABLE c FINAL", "OPTIMIZE TABLE s FINAL")
    assert warehouse.run(_script(optimized + asked)) == _ROWS
    counts = "SELECT (SELECT count() FROM daily) AS d, (SELECT count() FROM c) AS c FORMAT TSV;"
    assert warehouse.text(counts) == "2\t3\n"


def test_rows_of_one_version_take_each_other_away(warehouse: Warehouse) -> None:
    assert warehouse.run(_script(VERSIONED)) == LEFT * 2


def test_a_state_is_no_value(warehouse: Warehouse) -> None:
    wrong = ("users", "sum(total)", "avgMerge(total)")
    for query in (f"SELECT {one} FROM daily" for one in wrong):
        with pytest.raises(PenstockError) as caught:
            warehouse.run(_script((_MADE[1], query)))
        assert caught.value.code in ("UNSUPPORTED_TYPE", "WRONG_ARGUMENTS")
