"""PARTITION BY and DROP PARTITION, planned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.connectors.merge_tree import MergeTreeTable
from penstock.plan.steps import CompactTable, EmptyTable, RemoveOldFiles
from penstock.plan.walk import scans

if TYPE_CHECKING:
    from penstock.plan.steps import Action
    from tests.plan.warehouse import Scripts

TABLE = (
    "CREATE TABLE t (n Int64, d Date, s String, f Float64, m Nullable(Int8)) ENGINE = MergeTree "
    "PARTITION BY {} ORDER BY n;"
)


def _last(scripts: Scripts, script: str) -> Action:
    actions = (step.action for step in scripts.plan(script).steps)
    return [one for one in actions if not isinstance(one, RemoveOldFiles)][-1]


def test_a_partition_is_dropped_by_its_value_or_its_id(scripts: Scripts) -> None:
    table = TABLE.format("(n % 3, d)")
    dropped = _last(scripts, f"{table} ALTER TABLE t DROP PARTITION (2, '2024-05-01');")
    assert isinstance(dropped, EmptyTable)
    assert "2024-05-01" in (dropped.partition or "")
    by_id = _last(scripts, f"{table} ALTER TABLE t DROP PARTITION ID '2-20240501';")
    assert isinstance(by_id, EmptyTable)
    assert by_id.partition == "'2-20240501'"
    every = _last(scripts, f"{table} ALTER TABLE t DROP PARTITION ALL;")
    assert isinstance(every, EmptyTable)
    assert every.partition is None


def test_a_table_without_partitions_is_one(scripts: Scripts) -> None:
    table = TABLE.format("tuple()")
    for every in ("tuple()", "ID 'all'"):
        action = _last(scripts, f"{table} ALTER TABLE t DROP PARTITION {every};")
        assert isinstance(action, EmptyTable)
        assert action.partition is None
    none = _last(scripts, f"{table} ALTER TABLE t DROP PARTITION ID 'x';")
    assert not isinstance(none, EmptyTable)


def test_all_is_sorted_by_the_key_where_final_is_said(scripts: Scripts) -> None:
    table = "CREATE TABLE t (n Int64, s String) ENGINE = MergeTree ORDER BY (lower(s), n);"
    plain = _last(scripts, f"{table} OPTIMIZE TABLE t;")
    final = _last(scripts, f"{table} OPTIMIZE TABLE t FINAL;")
    assert isinstance(plain, CompactTable)
    assert plain.order is None
    assert isinstance(final, CompactTable)
    assert len(final.order or ()) == 2


def test_what_rows_are_parted_by_is_not_summed(scripts: Scripts) -> None:
    table = (
        "CREATE TABLE t (year UInt16, m UInt32, id Int64, total Int64) ENGINE = SummingMergeTree "
        "PARTITION BY (year, intDiv(m, id)) ORDER BY id;"
    )
    optimize = _last(scripts, f"{table} OPTIMIZE TABLE t FINAL;")
    assert isinstance(optimize, CompactTable)
    assert optimize.merge
    assert optimize.merge.key == ("__partition", "id")
    # ClickHouse sums what an expression of the key is made of.
    assert optimize.merge.zero == "`m` = 0 AND `total` = 0"
    (query,) = scripts.plan(f"{table} SELECT year, total FROM t FINAL;").queries
    (scan,) = scans(query.input)
    assert isinstance(scan.spec.source, MergeTreeTable)
    assert scan.spec.source.merge
    assert (scan.spec.source.merge.key, scan.spec.source.merge.zero) == (
        ("id",),
        optimize.merge.zero,
    )
    assert "`year` is to be summed, and is in PARTITION BY" in scripts.refused(
        "CREATE TABLE s (year UInt16, id Int64) ENGINE = SummingMergeTree(year) "
        "PARTITION BY year ORDER BY id;"
    )


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (TABLE.format("f"), "A Float64 is no partitioning key"),
        (TABLE.format("m"), "A Nullable(Int8) is no partitioning key"),
        (TABLE.format("rand(n)"), "not made of columns alone"),
        (TABLE.format("1"), "not made of columns alone"),
        (TABLE.format("nothing"), "nothing"),
        (TABLE.format("n") + "ALTER TABLE t DROP PARTITION (1, 2);", "have 1 values, not 2"),
        (TABLE.format("d") + "ALTER TABLE t DROP PARTITION [1];", "no value of the key, a Date"),
        (TABLE.format("n") + "ALTER TABLE t DETACH PARTITION 1;", "DETACH PARTITION"),
        (TABLE.format("n") + "ALTER TABLE t DROP COLUMN n;", "part of a key"),
        (
            "CREATE TABLE t (n Int8) ENGINE = Memory PARTITION BY n;",
            "Engine Memory doesn't support PARTITION BY",
        ),
    ],
)
def test_what_cannot_be_is_refused(script: str, reason: str, scripts: Scripts) -> None:
    assert reason in scripts.refused(script)


@pytest.mark.parametrize(
    ("nested", "problem"),
    [
        ("id UInt8, kindID UInt8, v Int64", "a second key, `aMap.kindID`"),
        ("id Enum8('a' = 1), v Int64", "a key `aMap.id` of Enum8('a' = 1)"),
        ("id UUID, v Int64", "a key `aMap.id` of UUID"),
        ("id UInt8, v Nullable(Int64)", "amounts `aMap.v` of Nullable(Int64)"),
        ("id UInt8, v Bool", "amounts `aMap.v` of Bool"),
    ],
)
def test_a_map_that_cannot_be_summed_is_refused(
    scripts: Scripts, nested: str, problem: str
) -> None:
    table = "CREATE TABLE t (k UInt8, aMap Nested({})) ENGINE = {} ORDER BY k;"
    assert f"is not supported with {problem}." in scripts.refused(
        table.format(nested, "ReplicatedSummingMergeTree")
    )
    # Only a SummingMergeTree sums.
    assert scripts.plan(table.format(nested, "AggregatingMergeTree")).steps
