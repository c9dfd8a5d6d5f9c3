"""PARTITION BY and DROP PARTITION, planned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.connectors.merge_rules import Merge
from penstock.connectors.merge_tree import MergeTreeTable
from penstock.errors import PenstockError
from penstock.model.span import Span
from penstock.model.types import DataType
from penstock.plan.clickhouse.keys import merged_by
from penstock.plan.clickhouse.language import CLICKHOUSE
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
    # Nor what an expression of the key is made of.
    assert optimize.merge.zero == "`total` = 0"
    (query,) = scripts.plan(f"{table} SELECT year, total FROM t FINAL;").queries
    (scan,) = scans(query.input)
    assert isinstance(scan.spec.source, MergeTreeTable)
    assert scan.spec.source.merge
    assert (scan.spec.source.merge.key, scan.spec.source.merge.zero) == (
        ("id",),
        optimize.merge.zero,
    )
    for keys, clause in (
        ("PARTITION BY year ORDER BY id", "PARTITION BY"),
        ("PARTITION BY intDiv(year, 100) ORDER BY id", "PARTITION BY"),
        ("ORDER BY intDiv(year, 10)", "ORDER BY"),
    ):
        assert f"`year` is to be summed, and is in {clause}." in scripts.refused(
            f"CREATE TABLE s (year UInt16, id Int64) ENGINE = SummingMergeTree(year) {keys};"
        )


def test_a_key_of_a_tuple_in_a_tuple_is_one_of_its_columns(scripts: Scripts) -> None:
    table = "CREATE TABLE t (a Int8, b Int8, c Int8) ENGINE = ReplacingMergeTree ORDER BY {};"
    for key, merged in (
        ("((a, b), c)", ("a", "b", "c")),
        ("(tuple(), tuple(a, (b)))", ("a", "b")),
        ("((a, b + c), c)", ("a", "__key1", "c")),
    ):
        optimize = _last(scripts, f"{table.format(key)} OPTIMIZE TABLE t FINAL;")
        assert isinstance(optimize, CompactTable)
        assert optimize.merge
        assert optimize.merge.key == merged


@pytest.mark.parametrize(
    ("key", "query", "place", "reason"),
    [
        ("[m]", "SELECT 1, n FROM t FINAL", (2, 18), "cannot be merged by `[m]`. Leave FINAL out."),
        ("(n, m)", "OPTIMIZE TABLE t FINAL", (2, 1), "cannot be merged by `m`. Leave FINAL out."),
        ("((n, [m]), n)", "SELECT n FROM t FINAL", (2, 15), "cannot be merged by `[m]`."),
        ("nosuch(n)", "SELECT n FROM t FINAL", (2, 15), "The function nosuch is not supported."),
    ],
)
def test_a_key_that_rows_cannot_be_merged_by_is_told_where_final_stands(
    key: str, query: str, place: tuple[int, int], reason: str, scripts: Scripts
) -> None:
    table = "CREATE TABLE t (n Int8, m Map(String, Int8)) ENGINE = ReplacingMergeTree ORDER BY"
    with pytest.raises(PenstockError) as caught:
        scripts.plan(f"{table} {key};\n{query};")
    error = caught.value
    assert reason in f"{error}"
    assert error.span is not None
    assert (error.span.line, error.span.column) == place


@pytest.mark.parametrize("key", ["now()", "n + rand()", "toString(generateUUIDv4())"])
def test_rows_of_an_older_table_are_not_merged_by_clock_or_chance(key: str) -> None:
    """New tables are not made with such a key."""
    rule = Merge(("n", "__key1"), computed=(("__key1", key),), span=Span(2, 15))
    columns = (("n", "`n`", DataType("TINYINT", nullable=False)),)
    with pytest.raises(PenstockError, match="Rows of `t` cannot be merged by") as caught:
        merged_by(rule, columns, "t", CLICKHOUSE)
    assert caught.value.span == Span(2, 15)


def test_a_column_inside_of_a_key_is_found_however_it_is_called(scripts: Scripts) -> None:
    table = (
        "CREATE TABLE t (n Int8, `a b` String, lower String) ENGINE = MergeTree "
        "ORDER BY lower(`a b`);"
    )
    for change in ("DROP COLUMN `a b`", "RENAME COLUMN `a b` TO c"):
        assert "`a b` is part of a key" in scripts.refused(f"{table} ALTER TABLE t {change};")
    # A function is no column.
    assert scripts.plan(f"{table} ALTER TABLE t DROP COLUMN lower;").steps


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (TABLE.format("f"), "A Float64 is no partitioning key"),
        (TABLE.format("m"), "A Nullable(Int8) is no partitioning key"),
        (TABLE.format("rand(n)"), "not made of columns alone"),
        (TABLE.format("(n, toDate(now()))"), "not made of columns alone"),
        (TABLE.format("n + toUnixTimestamp(current_timestamp())"), "not made of columns alone"),
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
    # Nor is it summed where a key is made of it.
    kept = table.replace("BY k", "BY (k, length(aMap.v))")
    assert scripts.plan(kept.format(nested, "SummingMergeTree")).steps
    # Only a SummingMergeTree sums.
    assert scripts.plan(table.format(nested, "AggregatingMergeTree")).steps
