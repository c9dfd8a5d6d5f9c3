"""Interval joins: a model of a few lines says which rows meet, late ones among them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import DataFrame

from penstock.spark.operators.interval_join import interval_join
from penstock.spark.operators.join import AT_COLUMN
from tests.spark.changelogs import KINDS, Change, Stream
from tests.spark.test_temporal_join import COLUMNS, in_utc, sides

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.plan.nodes import JoinKind

__all__ = ["in_utc"]
pytestmark = pytest.mark.spark

_DELAY_S = 5
# A right row is at most so long after a left one, a left one so long after a right one.
_AFTER_LEFT, _AFTER_RIGHT = 10, 3
_CONDITION = "lk = rk AND lt >= rt - INTERVAL '10' SECOND AND lt <= rt + INTERVAL '3' SECOND"
_KINDS: tuple[JoinKind, ...] = ("LEFT", "FULL")
_GIVEN = {"LEFT": "l", "FULL": "lr"}


def _joined(rows: DataFrame, kind: JoinKind) -> DataFrame:
    left, right = (side.drop(AT_COLUMN) for side in sides(rows, delay_s=_DELAY_S))
    until = (("lt", _AFTER_LEFT * 1000), ("rt", _AFTER_RIGHT * 1000))
    condition = f"{_CONDITION} AND lv <= rv"
    found = interval_join(left, right, condition=condition, kind=kind, until=until)
    return found.selectExpr(f"'{kind}' AS how", "ln", "rn", *found.columns[-1:])


def _all_kinds(rows: DataFrame) -> DataFrame:
    return reduce(DataFrame.union, (_joined(rows, kind) for kind in _KINDS))


@dataclass
class Model:
    """What is kept of each side, as lists, and what was told."""

    kept: dict[str, list[Change]] = field(default_factory=lambda: {"l": [], "r": []})
    met: set[int] = field(default_factory=set)
    told: Counter[Change] = field(default_factory=Counter)
    watermark: int = 0

    def take(self, batch: list[Change]) -> None:
        come = {side: [row for row in batch if row[0] == side] for side in "lr"}
        for left in come["l"]:
            self._meet(left, self.kept["r"])
        for right in come["r"]:
            late = self._is_passed(right)
            in_time = [left for left in come["l"] if not (late and self._is_passed(left))]
            self._meet(right, [*self.kept["l"], *in_time])
        for side in "lr":
            self.kept[side] += come[side]
            passed = [row for row in self.kept[side] if row[2] is None or self._is_passed(row)]
            self.kept[side] = [row for row in self.kept[side] if row not in passed]
            for row in passed:
                self._tell_alone(row)
        self.watermark = max([self.watermark, *(row[3] - _DELAY_S for row in batch)])

    def _is_passed(self, row: Change) -> bool:
        return row[3] + (_AFTER_LEFT if row[0] == "l" else _AFTER_RIGHT) < self.watermark

    def _meet(self, row: Change, others: list[Change]) -> None:
        for other in others:
            left, right = (row, other) if row[0] == "l" else (other, row)
            near = -_AFTER_LEFT <= left[3] - right[3] <= _AFTER_RIGHT
            if near and left[2] is not None and left[2] == right[2] and left[4] <= right[4]:
                self.met |= {left[1], right[1]}
                self.told.update((kind, left[1], right[1]) for kind in _KINDS)

    def _tell_alone(self, row: Change) -> None:
        if row[1] not in self.met:
            alone = (row[1], None) if row[0] == "l" else (None, row[1])
            self.told.update((kind, *alone) for kind in _KINDS if row[0] in _GIVEN[kind])


def _batches(seed: int) -> list[list[Change]]:
    """Rows of which many are late, some beyond what bounds them."""
    choice, number = random.Random(seed), 0
    found: list[list[Change]] = []
    for base in range(1000, 1060, 15):
        rows: list[Change] = []
        for _ in range(40):
            number += 1
            time = base + choice.randrange(15) - choice.choice([0, 0, 0, 4, 12, 30])
            key = choice.choice([None, 1, 2, 3])
            rows.append((choice.choice("lr"), number, key, time, choice.randrange(3), KINDS["+I"]))
        found.append(rows)
    return [*found, *([("l", 9000 + n, 9, 9000 + n, 0, KINDS["+I"])] for n in range(2))]


def test_late_rows_meet_what_is_kept(spark: SparkSession, tmp_path: Path) -> None:
    stream, model, batches = Stream(spark, tmp_path, COLUMNS), Model(), _batches(7)
    for part in (batches[:2], batches[2:]):
        for rows in part:
            stream.add(*rows)
            model.take(rows)
        stream.run(_all_kinds)
    assert stream.tables()[-1] == model.told
    # Of each join the rows that are not passed: each an entry, beside that of its key, and a timer.
    assert stream.kept <= len(_KINDS) * 8


def test_where_clocks_are_set_back_partners_are_waited_for(spark: SparkSession) -> None:
    """The watermark shows the hour that comes twice as one: it waits for the second one's end."""
    from penstock.spark.operators.interval_join import _due

    spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    moments = "sequence(TIMESTAMP'2024-10-27 00:00:00Z', TIMESTAMP'2024-10-27 04:00:00Z', "
    rows = spark.sql(f"SELECT explode({moments}INTERVAL 10 MINUTES)) AS t")
    due = _due(rows, "t", 30 * 60 * 1000).selectExpr("unix_seconds(t) AS t", f"{AT_COLUMN} AS at")
    shown = {row.t: row.at for row in due.collect()}
    local = rows.selectExpr("unix_seconds(t) AS t", "CAST(t AS TIMESTAMP_NTZ) AS at").selectExpr(
        "t", "timestampdiff(MICROSECOND, TIMESTAMP_NTZ'1970-01-01 00:00:00', at) AS at"
    )
    clock = {row.t: row.at for row in local.collect()}
    assert all(shown[t] >= clock[u] for t in shown for u in clock if u <= t + 30 * 60)


def test_a_row_without_a_time_waits_for_nobody(spark: SparkSession) -> None:
    from penstock.spark.operators.interval_join import _due

    for type_ in ("TIMESTAMP", "TIMESTAMP_NTZ"):
        row = _due(spark.sql(f"SELECT CAST(NULL AS {type_}) AS t"), "t", 1000).first()
        assert row is not None and row[AT_COLUMN] < 0
