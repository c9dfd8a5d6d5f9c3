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
        who AggregateFunction(argMax, String, Int32), hits AggregateFunction(countIf, UInt8),
        over AggregateFunction(sumIf, Int32, UInt8), few AggregateFunction(uniqIf, String, UInt8),
        mid AggregateFunction(avgIf, Int32, UInt8),
        last SimpleAggregateFunction(max, Int32), n SimpleAggregateFunction(sum, UInt64),
        tags SimpleAggregateFunction(groupUniqArrayArray, Array(String)))
        ENGINE = AggregatingMergeTree ORDER BY day""",
    """CREATE MATERIALIZED VIEW fill TO daily AS
        SELECT day, uniqState(user) AS users, sumState(x) AS total, avgState(x) AS mean,
            countState() AS rows, minState(x) AS low, maxState(e) AS top,
            argMaxState(user, x) AS who, countIfState(x > 0) AS hits, sumIfState(x, x > 3) AS over,
            uniqIfState(user, x < 1) AS few, avgIfState(x, x > 0) AS mid,
            maxSimpleState(x) AS last, count() AS n, groupUniqArray(user) AS tags
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
SUMMED = (
    "CREATE TABLE w (k UInt8, a UInt8, b Int8, c UInt16, d Int16, e UInt32, f Int32, g UInt64, "
    "h Int64, n Nullable(UInt8)) ENGINE = SummingMergeTree ORDER BY k",
    "INSERT INTO w VALUES (1, 200, 100, 65535, 32767, 4294967295, 2147483647, "
    "18446744073709551615, 9223372036854775807, 200)",
    "INSERT INTO w VALUES (1, 100, 100, 2, 1, 3, 1, 2, 1, 100), (2, 200, 0, 0, 0, 0, 0, 0, 0, 1)",
    "INSERT INTO w VALUES (2, 56, 0, 0, 0, 0, 0, 0, 0, 255)",
    "INSERT INTO w VALUES (3, 200, 0, 0, 0, 0, 0, 0, 0, NULL), (3, 56, 0, 0, 0, 0, 0, 0, 0, NULL)",
    "CREATE TABLE x (k UInt8, a SimpleAggregateFunction(sum, UInt64), "
    "b SimpleAggregateFunction(sum, Int64)) ENGINE = AggregatingMergeTree ORDER BY k",
    "INSERT INTO x VALUES (1, 18446744073709551615, 9223372036854775807), (1, 2, 1)",
    "CREATE TABLE y (k UInt8, v Int8, aMap Nested(id UInt8, v UInt8), bMap Nested(day Date, n "
    "Int64, f Float64, d Decimal(6, 2)), cMap Nested(id Float64, v Int64), d Nested(id UInt8, v "
    "UInt8)) ENGINE = SummingMergeTree ORDER BY k",
    "INSERT INTO y VALUES (1, 5, [2, 1], [20, 200], ['2024-05-02', '2024-05-01', '2024-05-03'], "
    "[1, 2, 7], [0.5, 1, -7], [1.25, 1, 0], [1], [1], [1], [1])",
    "INSERT INTO y VALUES (1, -5, [2, 3, 1, 3], [5, 7, 100, 1], ['2024-05-01', '2024-05-03'], "
    "[-2, -7], [-1, 7], [0.5, 0], [2], [2], [2], [2]), (2, 0, [4], [0], [], [], [], [], [], [], "
    "[], [])",
    "CREATE TABLE z (k UInt8, v Int8) ENGINE = SummingMergeTree((k, v)) ORDER BY k "
    "SETTINGS allow_summing_columns_in_partition_or_order_key = 1",
    "INSERT INTO z VALUES (1, 10), (1, 20), (2, 0), (0, 3)",
)
SUMMED_ASKED = (
    "SELECT k, a, b, c, d, e, f, toString(g), toString(h), n FROM w{} ORDER BY k "
    "FORMAT JSONCompactEachRow",
    "SELECT k, a, toString(b) FROM x{} FORMAT JSONCompactEachRow",
    "SELECT * FROM y{} ORDER BY k FORMAT JSONCompactEachRow",
    "SELECT * FROM z{} ORDER BY k FORMAT JSONCompactEachRow",
)
# What ClickHouse 26.9 gives: sums wrap around, and a row goes where each is 0, or NULL. A Nested
# that is a map is summed by its key, without what is 0; what is in a key is not summed.
SUMS = [
    [1, 44, -56, 1, -32768, 2, -2147483648, "1", "-9223372036854775808", 44],
    [2, 0, 0, 0, 0, 0, 0, "0", "0", 0],
    [1, 1, "-9223372036854775808"],
    [
        *(1, 0, [1, 2, 3], [44, 25, 8], ["2024-05-01", "2024-05-02"], [0, 1], [0, 0.5]),
        *([1.5, 1.25], [1], [1], [1], [1]),
    ],
    [2, 0, *([[]] * 10)],
    [0, 3],
    [1, 30],
]
_MERGED = (
    "uniqMerge(users), sumMerge(total), avgMerge(mean), countMerge(rows), minMerge(low), "
    "maxMerge(top), argMaxMerge(who), countIfMerge(hits), sumIfMerge(over), uniqIfMerge(few), "
    "avgIfMerge(mid)"
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
    ["2024-05-01", 2, 9, 3, 3, -5, "hi", "ann", 2, 11, 1, 7, 11, 3],
    ["2024-05-02", 2, 7, 3.5, 2, 0, "lo", "ann", 1, 7, 1, 7, 7, 2],
    [3, 16, 3.2, 5, -5, "hi", "ann", 3, 18, 2, 7],
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


# Of a key that is computed; what ClickHouse 26.9 gives.
COMPUTED = (
    "CREATE TABLE l (at DateTime('UTC'), s String, n UInt8) "
    "ENGINE = ReplacingMergeTree(n) ORDER BY (toDate(at), lower(s))",
    "INSERT INTO l VALUES ('2024-05-01 10:00:00', 'A', 2), ('2024-05-02 10:00:00', 'A', 3), "
    "('2024-05-01 11:00:00', 'a', 1), ('2024-05-02 11:00:00', 'a', 3)",
    "SELECT * FROM l FINAL ORDER BY at FORMAT JSONCompactEachRow",
    "OPTIMIZE TABLE l FINAL",
    "SELECT * FROM l ORDER BY at FORMAT JSONCompactEachRow",
)
COMPUTED_ROWS = [["2024-05-01 10:00:00", "A", 2], ["2024-05-02 11:00:00", "a", 3]] * 2


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


def summed() -> str:
    """Sums as FINAL shows them, and as OPTIMIZE leaves them."""
    optimized = [f"OPTIMIZE TABLE {one.split()[2]} FINAL" for one in SUMMED if "CREATE" in one]
    final, stored = ([one.format(way) for one in SUMMED_ASKED] for way in (" FINAL", ""))
    return _script((*SUMMED, *final, *optimized, *stored))


def test_sums_are_of_the_type_of_their_column(warehouse: Warehouse) -> None:
    assert warehouse.run(summed()) == SUMS * 2


def test_rows_of_a_computed_key_are_merged(warehouse: Warehouse) -> None:
    assert warehouse.run(_script(COMPUTED)) == COMPUTED_ROWS


def test_a_state_is_no_value(warehouse: Warehouse) -> None:
    wrong = ("users", "sum(total)", "avgMerge(total)", "countMerge(hits)", "avgMerge(mid)")
    for query in (f"SELECT {one} FROM daily" for one in wrong):
        with pytest.raises(PenstockError) as caught:
            warehouse.run(_script((_MADE[1], query)))
        assert caught.value.code in ("UNSUPPORTED_TYPE", "WRONG_ARGUMENTS")
