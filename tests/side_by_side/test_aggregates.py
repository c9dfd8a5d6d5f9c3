"""Aggregates, states and windows beside ClickHouse: the same queries over the same table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from penstock.sql.functions.clickhouse import AGGREGATES, WINDOWS
from penstock.sql.functions.clickhouse.states import KINDS
from tests.clickhouse.warehouse import Warehouse
from tests.side_by_side import queries
from tests.side_by_side.columns import COLUMNS, create_table
from tests.side_by_side.differences import explained
from tests.side_by_side.engine import CLICKHOUSE, ask

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

_PER_QUERY = 60
_SHOWN = 40


def _grouped() -> list[tuple[list[str], str]]:
    """Calls and their query: of six groups, and of no row at all."""
    found = []
    calls = queries.aggregates()
    for start in range(0, len(calls), _PER_QUERY):
        batch = calls[start : start + _PER_QUERY]
        rows = "SELECT *, n % 6 AS g FROM t"
        found.append((batch, f"SELECT {', '.join(batch)} FROM ({rows}) GROUP BY g ORDER BY g"))
        found.append((batch, f"SELECT {', '.join(batch)} FROM ({rows} WHERE n > 1000)"))
    return found


def _merged() -> list[tuple[list[str], str]]:
    states = [(f"{state} AS s{i}", call) for i, (state, call) in enumerate(queries.merges())]
    calls = [call.replace("(s)", f"(s{i})") for i, (_, call) in enumerate(states)]
    inner = f"SELECT g, {', '.join(state for state, _ in states)} FROM t1 GROUP BY g"
    rows = f"WITH t1 AS (SELECT *, n % 6 AS g FROM t) SELECT {', '.join(calls)} FROM ({inner})"
    return [(calls, rows)]


def _windows() -> list[tuple[list[str], str]]:
    calls = list(queries.WINDOWS)
    rows = "SELECT *, n % 6 AS g FROM t"
    return [(calls, f"SELECT {', '.join(calls)} FROM ({rows}) ORDER BY n")]


def _called(name: str) -> str:
    return rf"\b{name[:-2]}\([^()]+\)\(" if name.endswith("()") else rf"\b{name}\("


def test_every_aggregate_is_called() -> None:
    text = " ".join(sql for _, sql in (*_grouped(), *_merged(), *_windows()))
    names = (*AGGREGATES, *WINDOWS, "finalizeAggregation")
    assert [name for name in names if not re.search(_called(name), text)] == []
    assert all(f"{name}MergeState(" in text for name in KINDS)


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.skipif(not CLICKHOUSE.exists(), reason="`make test-slow` installs ClickHouse")
def test_queries(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [*_grouped(), *_merged(), *_windows()]
    told = ask(create_table(), [], [sql for _, sql in asked], tmp_path)
    warehouse = Warehouse(spark, tmp_path, capsys)
    columns = ", ".join(f"`{name}` {type_}" for name, (type_, _) in COLUMNS.items())
    made = f"CREATE TABLE t (n UInt16, {columns}) ENGINE = MergeTree ORDER BY n"
    warehouse.text(f"{made}; INSERT INTO t FORMAT TSV\n{told['table'].removesuffix(chr(10))};\n")
    different = []
    for (calls, sql), theirs in zip(asked, told["queries"], strict=True):
        mine = warehouse.text(f"{sql} FORMAT TSV")
        for row, (a, b) in enumerate(zip(mine.splitlines(), theirs.splitlines(), strict=True)):
            pairs = zip(calls, a.split("\t"), b.split("\t"), strict=True)
            different += [
                f"{call} in row {row}: {x}, ClickHouse: {y}"
                for call, x, y in pairs
                if x != y and not explained(call, x, y)
            ]
    assert different[:_SHOWN] == []
