"""Retract → upsert by the key of a sink: the processor alone, in any order of a batch's rows."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from penstock.model.changelog import KIND_COLUMN
from penstock.plan.nodes import ORDER_COLUMN
from penstock.spark.operators.materialize import materialize
from tests.spark.changelogs import KINDS, Change, Stream

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

_PLACE = "STRUCT<offset: BIGINT, partition: INT, place: INT>"
_COLUMNS = f"k STRING, v INT, {KIND_COLUMN} TINYINT"
_BATCHES, _LARGEST = 10, 10


class Places:
    """Changes that come one after the other, each at the next place."""

    def __init__(self) -> None:
        self.next = 0

    def change(self, kind: str, k: str, v: int) -> Change:
        self.next += 1
        place = {"offset": self.next // 2, "partition": 0, "place": self.next % 2}
        return (k, v, KINDS[kind], place)


@pytest.fixture
def stream(spark: SparkSession, tmp_path: Path) -> Stream:
    return Stream(spark, tmp_path, f"{_COLUMNS}, {ORDER_COLUMN} {_PLACE}")


def _materialized(frame: DataFrame) -> DataFrame:
    return materialize(frame, key=["k"])


def test_the_row_that_came_last_counts_and_the_one_before_when_it_goes(stream: Stream) -> None:
    at = Places().change
    came = [at("+I", "a", n) for n in (5, 3, 4, 1)]
    stream.add(*reversed(came))
    went = [at("-D", "a", 1), at("-D", "a", 5)]
    stream.add(*went)
    stream.run(_materialized)
    # Equal rows are as many as came; one that comes again is the last.
    stream.add(at("+U", "a", 3), at("-U", "a", 4))
    stream.add(at("-D", "a", 3))
    stream.add(at("+I", "a", 7), at("-D", "a", 7), at("-D", "a", 3))
    stream.run(_materialized)
    assert stream.changes() == [
        [("+I", "a", 1)],
        [("+U", "a", 4)],
        [("+U", "a", 3)],
        [],
        [("-D", "a", 3)],
    ]
    assert stream.kept == 0


def test_a_change_of_a_row_goes_behind_others(stream: Stream) -> None:
    at = Places().change
    stream.add(at("+I", "a", 1), at("+I", "a", 2))
    batch = [at("-U", "a", 1), at("+U", "a", 1)]
    stream.add(*reversed(batch))
    stream.run(_materialized)
    assert stream.changes() == [[("+I", "a", 2)], [("+U", "a", 1)]]


def test_without_places_the_order_of_a_batch_is_all_the_same(
    spark: SparkSession, tmp_path: Path
) -> None:
    batch = [("a", n, KINDS["+I"]) for n in range(5)] + [("a", 4, KINDS["-D"])]
    found = []
    for number, rows in enumerate((batch, batch[::-1])):
        stream = Stream(spark, tmp_path / str(number), _COLUMNS)
        stream.add(*rows)
        stream.add(("a", 3, KINDS["-D"]))
        stream.run(_materialized)
        found.append(stream.changes())
    assert found[0] == found[1]


def test_random_changes_in_the_order_of_a_shuffle(stream: Stream) -> None:
    chance = random.Random(7)
    at, there, wanted = Places().change, {"a": list[int](), "b": list[int]()}, []
    for _ in range(_BATCHES):
        batch = []
        for _ in range(chance.randint(1, _LARGEST)):
            k = chance.choice("ab")
            rows = there[k]
            if rows and chance.random() < 0.5:
                gone = chance.choice(rows)
                rows.remove(gone)
                batch.append(at("-D", k, gone))
            else:
                rows.append(chance.randint(1, 4))
                batch.append(at("+I", k, rows[-1]))
        chance.shuffle(batch)
        stream.add(*batch)
        wanted.append({(k, rows[-1]) for k, rows in there.items() if rows})
    stream.run(_materialized)
    assert [set(table) for table in stream.tables(lambda row: row[:1])] == wanted
