"""Expressions of definitions that a warehouse keeps as texts: they mean the same ever after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.connectors.merge_tree import MergeTreeTable
from penstock.plan.walk import scans

if TYPE_CHECKING:
    from tests.plan.warehouse import Scripts

_INSERT = "INSERT INTO t (n, s) VALUES (9007199254740993, 'a');"
_ASKED = "SELECT a FROM t;"
_EXPRESSIONS = {
    "n DIV 10": "Int64",
    "-n DIV 10 * 2 + (n + 1) DIV 3": "Int64",
    "n DIV (n DIV 2) MOD 3": "Int64",
    "toString(n DIV 2)": "String",
    "s REGEXP 'a'": "UInt8",
    "NOT s REGEXP '[0-9]'": "UInt8",
    "n > 1 ? 'a' : 'b'": "String",
    "0.12345678901234567891::Decimal(38, 20)": "Decimal(38, 20)",
    "[1.1, 2]::Array(Decimal(38, 20))": "Array(Decimal(38, 20))",
    "s::FixedString(3)": "FixedString(3)",
    "n NOT IN (1, 2)": "UInt8",
}


@pytest.mark.parametrize(("expression", "type_"), _EXPRESSIONS.items())
def test_columns_are_computed_as_before(scripts: Scripts, expression: str, type_: str) -> None:
    made = (
        f"CREATE TABLE t (n Int64, s String, d {type_} DEFAULT {expression}, "
        f"m {type_} MATERIALIZED {expression}, a {type_} ALIAS {expression}) ENGINE = Log;"
    )
    asked = (_INSERT, _ASKED)
    said = [scripts.plan(made + one).queries[0].columns for one in asked]
    scripts.run(made)
    assert [scripts.plan(one).queries[0].columns for one in asked] == said


def test_a_whole_division_in_a_key_stays_whole(scripts: Scripts) -> None:
    scripts.run(
        "CREATE TABLE r (n Int64) ENGINE = ReplacingMergeTree ORDER BY (n DIV 10, n MOD 7);"
    )
    (query,) = scripts.plan("SELECT * FROM r FINAL;").queries
    (scan,) = scans(query.input)
    assert isinstance(scan.spec.source, MergeTreeTable)
    assert scan.spec.source.merge
    (tens, sevens) = (sql for _, sql in scan.spec.source.merge.computed)
    assert " div " in tens
    assert "DOUBLE" not in tens
    assert " % " in sevens


def test_a_definition_is_shown_as_clickhouse_shows_it(scripts: Scripts) -> None:
    made = (
        "CREATE TABLE t (n Int64, d Int64 DEFAULT n DIV 10, o Int64 DEFAULT n MOD 3) ENGINE = Log;"
    )
    ((text,),) = scripts.plan(f"{made} SHOW CREATE TABLE t;").results[-1].rows
    assert "`d` Int64 DEFAULT intDiv(n, 10),\n" in str(text)
    assert "`o` Int64 DEFAULT n % 3\n" in str(text)
