"""ClickHouse's functions, operators and casts beside ClickHouse itself: same rows, same texts.

`make test-slow` installs ClickHouse as a library, apart from the virtualenv. What may differ stands
in `differences`, with its reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from penstock.connectors.clickhouse_names import SESSION, STORAGE, known_names
from tests.side_by_side import calls, ours
from tests.side_by_side.columns import create_table
from tests.side_by_side.differences import explained
from tests.side_by_side.engine import CLICKHOUSE, ask

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

    from tests.side_by_side.engine import Answer

_PARTS = 24
_SHOWN = 40


def test_every_function_is_called() -> None:
    assert calls.without_a_call() == []


@pytest.fixture(scope="module")
def compiled() -> dict[str, ours.Compiled]:
    """What the planner takes; the rest is refused, which is no difference."""
    found = ((sql, ours.compiled(sql)) for sql in calls.expressions())
    return {sql: one for sql, one in found if isinstance(one, ours.Compiled)}


@pytest.fixture(scope="module")
def told(compiled: dict[str, ours.Compiled], tmp_path_factory: pytest.TempPathFactory) -> Any:
    return ask(create_table(), list(compiled), [], tmp_path_factory.mktemp("clickhouse"))


@pytest.fixture(scope="module")
def table(told: Any, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    path = tmp_path_factory.mktemp("table") / "t.tsv"
    path.write_text(told["table"], encoding="utf-8")
    return ours.read(spark, path)


_BESIDE = [
    pytest.mark.slow,
    pytest.mark.spark,
    pytest.mark.skipif(not CLICKHOUSE.exists(), reason="`make test-slow` installs ClickHouse"),
]


class TestBeside:
    """Everything that asks ClickHouse."""

    pytestmark = _BESIDE

    def test_names_of_settings(self, tmp_path: Path) -> None:
        kinds = {STORAGE: "merge_tree_settings", SESSION: "settings"}
        queries = [f"SELECT name FROM system.{table}" for table in kinds.values()]
        told = ask(create_table(), [], queries, tmp_path)["queries"]
        for names, kind in zip(told, kinds, strict=True):
            assert set(names.split()) == known_names(kind)

    def test_every_function_is_compared(self, compiled: dict[str, ours.Compiled]) -> None:
        called = calls.called_in(compiled)
        assert [name for name in calls.names() if name not in called] == []

    def test_types(self, compiled: dict[str, ours.Compiled], told: Any) -> None:
        answers: dict[str, Answer] = told["answers"]
        different = {
            sql: (one.type, answers[sql].type or answers[sql].problem[:100])
            for sql, one in compiled.items()
            if one.type != answers[sql].type
            and not (answers[sql].problem and explained(sql, "", None))
        }
        assert different == {}

    @pytest.mark.parametrize("part", range(_PARTS))
    def test_values(
        self, part: int, compiled: dict[str, ours.Compiled], told: Any, table: DataFrame
    ) -> None:
        answers: dict[str, Answer] = told["answers"]
        chosen = [sql for sql in compiled if answers[sql].type][part::_PARTS]
        found = ours.values(table, [compiled[sql].expr for sql in chosen])
        different = [
            f"{sql} in row {row}: {mine!r}, ClickHouse: {theirs!r}"
            for sql, values in zip(chosen, found, strict=True)
            for row, (mine, theirs) in enumerate(zip(values, answers[sql].values, strict=True))
            if mine != theirs and not explained(sql, mine, theirs)
        ]
        assert different[:_SHOWN] == []
