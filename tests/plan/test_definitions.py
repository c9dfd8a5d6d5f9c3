"""Definitions of ClickHouse's tables: what it refuses is refused in its words, and where.

The words are those of ClickHouse 26.9.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from penstock.connectors.merge_tree import MergeTreeTable
from penstock.connectors.system import RowsSource
from penstock.errors import PenstockError
from penstock.plan.walk import scans

if TYPE_CHECKING:
    from tests.plan.warehouse import Scripts

_KAFKA = "ENGINE = Kafka('h:9092', 't', 'g', 'CSV')"
_VERSION = "cannot be used as a version column for storage {} because it is of type {} (must be"
_UNSTEADY = "key cannot contain non-deterministic functions, but contains"
_NULLS = "Sorting key contains nullable columns, but merge tree setting `allow_nullable_key` is"


def _replacing(columns: str, arguments: str) -> str:
    return f"CREATE TABLE t (k Int8, {columns}) ENGINE = ReplacingMergeTree({arguments}) ORDER BY k"


def _sorted(key: str) -> str:
    columns = "j Int8, k Nullable(Int8), a Array(Nullable(Int8))"
    return f"CREATE TABLE t ({columns}) ENGINE = MergeTree {key}"


@pytest.mark.parametrize(
    ("script", "place", "reason"),
    [
        (_replacing("v String", "v"), 63, _VERSION.format("ReplacingMergeTree", "String")),
        (_replacing("v Nullable(UInt8)", "v"), 72, "of type Nullable(UInt8)"),
        (_replacing("v Decimal(9, 2)", "v"), 70, "of type Decimal(9, 2)"),
        (_replacing("v Enum8('a' = 1)", "v"), 71, "of type Enum8('a' = 1)"),
        (
            _replacing("v Date, d Int8", "v, d"),
            72,
            "is_deleted column (d) for storage ReplacingMergeTree must have type UInt8. Provided "
            "column of type Int8.",
        ),
        (
            "CREATE TABLE t (k Int8, s UInt8) ENGINE = CollapsingMergeTree(s) ORDER BY k",
            63,
            "Sign column (s) for storage CollapsingMergeTree must have type Int8.",
        ),
        (
            "CREATE TABLE t (s Int8, v UUID) ENGINE=VersionedCollapsingMergeTree(s, v) ORDER BY s",
            72,
            _VERSION.format("VersionedCollapsingMergeTree", "UUID"),
        ),
        (
            "CREATE TABLE t (s Int8) ENGINE = CollapsingMergeTree ORDER BY s",
            14,
            "CollapsingMergeTree takes 1 argument that names columns, not 0.",
        ),
        (
            "CREATE TABLE t (s Int8) ENGINE = MergeTree(s) ORDER BY s",
            14,
            "MergeTree takes no arguments, not 1.",
        ),
        (_sorted("ORDER BY (j, k)"), 87, _NULLS),
        (_sorted("ORDER BY k + 1"), 87, _NULLS),
        (_sorted("ORDER BY a"), 87, _NULLS),
        (_sorted("PRIMARY KEY k"), 87, _NULLS),
        (_sorted("ORDER BY now()"), 87, f"Sorting {_UNSTEADY} `now()`."),
        (_sorted("ORDER BY (j, j + rand())"), 87, f"Sorting {_UNSTEADY} `j + rand()`."),
        (_sorted("PRIMARY KEY (j, today())"), 87, f"Sorting {_UNSTEADY} `today()`."),
        (_sorted("ORDER BY j SAMPLE BY rand()"), 98, f"Sampling {_UNSTEADY} `rand()`."),
        (_sorted("ORDER BY nope"), 87, "There is no column `nope`."),
        (_sorted("ORDER BY (j, farmHash64(j), lower(jj))"), 87, "Did you mean `j`?"),
        (_sorted("ORDER BY j PRIMARY KEY jj"), 98, "There is no column `jj`."),
        (_sorted("ORDER BY j SAMPLE BY jj"), 98, "There is no column `jj`."),
        (_sorted("ORDER BY j PARTITION BY jj"), 98, "There is no column `jj`."),
        (_sorted("ORDER BY j TTL jj"), 98, "There is no column `jj`."),
        (_sorted("ORDER BY (j, j + 1) PRIMARY KEY j + 1"), 107, "position 0 is `j`, not `j + 1`."),
        (_sorted("ORDER BY ((j DESC), k)"), 87, "Syntax error at `DESC`: a key has no names."),
        (_sorted("ORDER BY (j AS x)"), 87, "Syntax error at `x`: a key has no names."),
        (_sorted("ORDER BY j PRIMARY KEY j DESC"), 98, "ASC and DESC are for ORDER BY."),
        (_sorted("ORDER BY j PARTITION BY (j ASC)"), 98, "ASC and DESC are for ORDER BY."),
        (_sorted("ORDER BY j PRIMARY KEY (j, k)"), 98, "length: 2 is greater than the sorting"),
        (
            "CREATE TABLE t (a Int8, b Int8 ALIAS a) ENGINE = MergeTree ORDER BY b",
            60,
            "There is no column `b`.",
        ),
        (
            "CREATE MATERIALIZED VIEW m ENGINE = MergeTree ORDER BY n AS SELECT nullIf(1, 2) AS n",
            47,
            _NULLS,
        ),
        (f"CREATE TABLE t (a Int8) {_KAFKA} ORDER BY a", 67, "Engine Kafka doesn't support ORDER"),
        (f"CREATE TABLE t (a Int8) {_KAFKA} SAMPLE BY a", 67, "doesn't support SAMPLE BY."),
        (f"CREATE TABLE t (a Int8, PRIMARY KEY a) {_KAFKA}", 40, "doesn't support PRIMARY KEY."),
        ("CREATE TABLE t (a Int8) ENGINE = Null TTL now()", 39, "Engine Null doesn't support TTL."),
        ("CREATE TABLE t (a Int8) ENGINE = Kafkaa('h')", 34, "Did you mean 'Kafka'?"),
        ("CREATE TABLE t (a Int8) ENGINE = mergetree", 34, "Did you mean 'MergeTree'?"),
        ("CREATE TABLE t (a Int8) ENGINE = Set", 34, "Supported engines: Kafka, Null, MergeTree,"),
    ],
)
def test_what_clickhouse_refuses(script: str, place: int, reason: str, scripts: Scripts) -> None:
    with pytest.raises(PenstockError) as caught:
        scripts.plan(f"{script};")
    error = caught.value
    assert reason in f"{error}"
    assert error.span is not None
    assert (error.span.line, error.span.column) == (1, place)


@pytest.mark.parametrize(
    "script",
    [
        _replacing("v Float64, d Bool", "v, d"),
        _replacing("v DateTime64(3), d UInt8", "v, d"),
        _sorted("ORDER BY k SETTINGS allow_nullable_key = 1"),
        "CREATE TABLE t (a Int8, b Int8) ENGINE = SummingMergeTree((a)) PARTITION BY a ORDER BY a "
        "SETTINGS allow_summing_columns_in_partition_or_order_key = 1",
        _sorted("ORDER BY assumeNotNull(k)"),
        _sorted("ORDER BY concat(toString(j), 'now()')"),
        _sorted("ORDER BY (j, j + 1) PRIMARY KEY j"),
        _sorted("ORDER BY (j DESC, j + 1 ASC) PRIMARY KEY j"),
        _sorted("ORDER BY tuple(j desc)"),
        "CREATE TABLE t (a Int8, b Int8, PRIMARY KEY a) ENGINE = MergeTree",
        "CREATE TABLE t (a Int8, PRIMARY KEY toInt8(a), b Int8) ENGINE = MergeTree",
        "CREATE TABLE t (a Int8, b Int8, PRIMARY KEY (a, b))",
    ],
)
def test_what_clickhouse_takes(script: str, scripts: Scripts) -> None:
    assert "MakeTable" in scripts.run(f"{script};")


def test_system_tables_show_keys_as_clickhouse_does(scripts: Scripts) -> None:
    plan = scripts.plan(
        "CREATE TABLE a (dt Date, b Int8) ENGINE = MergeTree "
        "PARTITION BY toYYYYMM(dt) ORDER BY (toDate(dt), b);"
        "CREATE TABLE b (dt Date, c UInt32) ENGINE = MergeTree PARTITION BY (toYYYYMM(dt), c) "
        "PRIMARY KEY c ORDER BY tuple(c, intHash32(c)) SAMPLE BY intHash32(c);"
        "CREATE TABLE c (x Int8) ENGINE = MergeTree ORDER BY tuple();"
        "CREATE TABLE d (x Int8, y Int8) ENGINE = MergeTree ORDER BY (x DESC, y + 1 DESC);"
        "SELECT * FROM system.tables;"
    )
    (scan,) = scans(plan.queries[-1].input)
    assert isinstance(scan.spec.source, RowsSource)
    rows = {row["name"]: row for row in json.loads(scan.spec.source.rows)}
    keys = ("partition_key", "sorting_key", "primary_key", "sampling_key")
    assert {name: [row[key] for key in keys] for name, row in rows.items()} == {
        "a": ["toYYYYMM(dt)", "toDate(dt), b", "toDate(dt), b", ""],
        "b": ["toYYYYMM(dt), c", "c, intHash32(c)", "c", "intHash32(c)"],
        "c": ["", "", "", ""],
        "d": ["", "x, y + 1", "x, y + 1", ""],
    }


@pytest.mark.parametrize("order", ["n DESC", "(n DESC)", "(n ASC)", "tuple(n DESC)"])
def test_rows_are_merged_by_a_key_of_any_direction(order: str, scripts: Scripts) -> None:
    made = f"CREATE TABLE t (n Int8, v Int8) ENGINE = ReplacingMergeTree(v) ORDER BY {order};"
    (query,) = scripts.plan(f"{made} SELECT * FROM t FINAL;").queries
    (scan,) = scans(query.input)
    assert isinstance(scan.spec.source, MergeTreeTable)
    assert scan.spec.source.merge
    assert scan.spec.source.merge.key == ("n",)
