"""TTL of tables at rest and of columns, planned: what is kept, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.plan.steps import MutateRows

if TYPE_CHECKING:
    from tests.plan.warehouse import Scripts

TABLE = "CREATE TABLE t (id UInt64, d DateTime, e Date, s String) ENGINE = MergeTree ORDER BY id"


def test_rows_go_where_the_table_is_merged_and_where_its_ttl_changes(scripts: Scripts) -> None:
    table = f"{TABLE} TTL d + toIntervalDay(1), e DELETE WHERE s = 'x';"
    assert scripts.changes(table) == ["MakeTable"]
    assert scripts.changes("OPTIMIZE TABLE t;") == ["MutateRows", "CompactTable", "RemoveOldFiles"]
    assert scripts.changes("ALTER TABLE t MODIFY TTL e;") == ["ChangeColumns", "MutateRows"]
    assert scripts.changes("ALTER TABLE t REMOVE TTL;") == ["ChangeColumns"]
    assert scripts.changes("OPTIMIZE TABLE t FINAL;") == ["CompactTable", "RemoveOldFiles"]
    column = "ALTER TABLE t MODIFY COLUMN s String TTL d;"
    assert scripts.changes(column) == ["ChangeColumns", "MutateRows"]
    (kept,) = scripts.warehouse.read().objects
    assert "`s` String TTL d" in kept.sql
    scripts.run("ALTER TABLE t MODIFY COLUMN s REMOVE TTL;")
    assert scripts.changes("OPTIMIZE TABLE t;") == ["CompactTable", "RemoveOldFiles"]


def test_merged_rows_are_asked_for_their_time(scripts: Scripts) -> None:
    table = "CREATE TABLE r (id UInt64, d DateTime) ENGINE = ReplacingMergeTree ORDER BY id TTL d;"
    scripts.run(table)
    optimized = ["CompactTable", "MutateRows", "RemoveOldFiles"]
    assert scripts.changes("OPTIMIZE TABLE r FINAL;") == optimized


def test_a_modified_column_keeps_what_is_not_said(scripts: Scripts) -> None:
    table = """CREATE TABLE t (id UInt64, d DateTime, b UInt8 DEFAULT id + 1 COMMENT 'c' TTL d)
        ENGINE = MergeTree ORDER BY id;"""
    scripts.run(f"{table} ALTER TABLE t MODIFY COLUMN b UInt16;")
    (kept,) = scripts.warehouse.read().objects
    assert "`b` UInt16 DEFAULT id + 1 COMMENT 'c' TTL d" in kept.sql


def test_where_older_rows_are_stored_is_noted(scripts: Scripts) -> None:
    plan = scripts.plan(f"{TABLE} TTL d TO DISK 'cold', d RECOMPRESS CODEC(ZSTD(1)), d;")
    assert len([note for note in plan.notes if "has no effect" in note]) == 2
    step = scripts.plan(f"{TABLE} TTL d TO DISK 'cold'; OPTIMIZE TABLE t;").steps
    assert not any(isinstance(one.action, MutateRows) for one in step)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (f"{TABLE} TTL d, e;", "Only one TTL of a table may be without WHERE"),
        (f"{TABLE} TTL s;", "Date, Date32, DateTime or DateTime64, not String"),
        (f"{TABLE} TTL now();", "depends on no column"),
        (f"{TABLE} TTL d GROUP BY id SET s = max(s);", "TTL … GROUP BY is not supported"),
        (f"{TABLE} TTL nothing + 1;", "nothing"),
        (f"{TABLE} TTL d +;", "Syntax error"),
        ("CREATE TABLE t (id UInt64, d Date TTL d) ENGINE = MergeTree ORDER BY d;", "of a key"),
        ("CREATE TABLE t (d Date) ENGINE = Memory TTL d;", "Engine Memory doesn't support TTL"),
        ("CREATE TABLE t (d Date, a UInt8 TTL d) ENGINE = Log;", "Log table has no TTL"),
        (f"{TABLE}; ALTER TABLE t REMOVE TTL;", "has no TTL"),
        (f"{TABLE}; ALTER TABLE t MODIFY TTL id;", "not UInt64"),
        (f"{TABLE} TTL d; ALTER TABLE t DROP COLUMN d;", "The TTL of `t` is made of `d`"),
        (f"{TABLE}; ALTER TABLE t MODIFY COLUMN s REMOVE CODEC;", "COMMENT, DEFAULT or TTL"),
    ],
)
def test_what_cannot_be_followed_is_refused(script: str, reason: str, scripts: Scripts) -> None:
    assert reason in scripts.refused(script)
