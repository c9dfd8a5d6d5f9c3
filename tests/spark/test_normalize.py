"""Upsert → retract: the processor alone, then in streaming queries that stop and go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from penstock.model.changelog import KIND_COLUMN
from penstock.spark.operators.normalize import normalize
from tests.spark.changelogs import KINDS, Change, Stream

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

_COLUMNS = f"id BIGINT, name STRING, price DECIMAL(10, 2), {KIND_COLUMN} TINYINT, offset BIGINT"


def _upsert(key: int, name: str, price: str, offset: int) -> Change:
    return (key, name, price, KINDS["+U"], offset)


def _delete(key: int, offset: int) -> Change:
    return (key, None, None, KINDS["-D"], offset)


class Files(Stream):
    """A stream of one file per batch, normalized."""

    def normalized(self, **options: Any) -> None:
        """Read what is there, batch by batch, and stop."""
        self.run(lambda rows: normalize(rows, ["id", "name", "price"], key=["id"], **options))

    def changes(self) -> list[list[Change]]:
        """What came out, by batch, with prices as text."""
        return [[(*row, str(price)) for *row, price in batch] for batch in super().changes()]


@pytest.fixture
def files(spark: SparkSession, tmp_path: Path) -> Files:
    return Files(spark, tmp_path, _COLUMNS)


def test_query_that_stops_and_goes_on(files: Files) -> None:
    files.add(_upsert(1, "hammer", "1.50", 0), _upsert(2, "nail", "0.10", 1))
    files.add(_upsert(1, "hammer", "1.50", 2), _upsert(2, "nail", "0.20", 3), _delete(9, 4))
    files.normalized(at="offset")
    files.add(_upsert(1, "mallet", "2.00", 5), _delete(2, 6), _upsert(3, "saw", "9.00", 7))
    files.add(_upsert(2, "nail", "0.30", 8))
    files.normalized(at="offset")
    assert files.changes() == [
        [("+I", 1, "hammer", "1.50"), ("+I", 2, "nail", "0.10")],
        [("-U", 2, "nail", "0.10"), ("+U", 2, "nail", "0.20")],
        [
            ("-U", 1, "hammer", "1.50"),
            ("+U", 1, "mallet", "2.00"),
            ("-D", 2, "nail", "0.20"),
            ("+I", 3, "saw", "9.00"),
        ],
        [("+I", 2, "nail", "0.30")],
    ]


def test_batch_gives_one_change_per_key(files: Files) -> None:
    files.add(_upsert(1, "a", "1.00", 0), _delete(1, 1), _upsert(1, "b", "1.00", 2))
    files.add(_delete(1, 3), _upsert(1, "c", "1.00", 4), _upsert(1, "d", "1.00", 5))
    files.add(_upsert(1, "e", "1.00", 6), _delete(1, 7))
    files.add(_upsert(2, "x", "1.00", 8), _delete(2, 9))
    files.normalized(at="offset")
    assert files.changes() == [
        [("+I", 1, "b", "1.00")],
        [("-U", 1, "b", "1.00"), ("+U", 1, "d", "1.00")],
        [("-D", 1, "d", "1.00")],
        [],
    ]


def test_place_decides_which_row_is_last(files: Files) -> None:
    files.add(_upsert(1, "new", "1.00", 11), _upsert(1, "old", "1.00", 10))
    files.normalized(at="offset")
    assert files.changes() == [[("+I", 1, "new", "1.00")]]


def test_updates_without_the_old_row(files: Files) -> None:
    files.add(_upsert(1, "a", "1.00", 0))
    files.add(_upsert(1, "b", "1.00", 1))
    files.normalized(at="offset", update_before=False)
    assert files.changes() == [[("+I", 1, "a", "1.00")], [("+U", 1, "b", "1.00")]]


def test_row_is_forgotten_after_its_time(files: Files) -> None:
    files.add(_upsert(1, "a", "1.00", 0))
    files.add(_upsert(1, "b", "1.00", 1))
    files.normalized(at="offset", ttl_ms=1)
    assert files.changes() == [[("+I", 1, "a", "1.00")], [("+I", 1, "b", "1.00")]]


def test_same_content_keeps_a_row_alive(files: Files) -> None:
    files.add(_upsert(1, "a", "1.00", 0))
    files.add(_upsert(1, "a", "1.00", 1))
    files.normalized(at="offset", ttl_ms=3_600_000)
    assert files.changes() == [
        [("+I", 1, "a", "1.00")],
        [("-U", 1, "a", "1.00"), ("+U", 1, "a", "1.00")],
    ]


def test_odd_names(spark: SparkSession) -> None:
    rows = [("x", 1, KINDS["+U"]), ("x", 2, KINDS["-D"]), ("y", 3, KINDS["+U"])]
    frame = spark.createDataFrame(rows, f"`k``.1` STRING, `o o` INT, {KIND_COLUMN} TINYINT")
    changes = normalize(frame, ["k`.1"], key=["`k``.1`"], at="CAST(`o o` AS BIGINT)")
    assert [tuple(row) for row in changes.collect()] == [("y", KINDS["+I"])]


def test_times_are_kept_and_come_back(spark: SparkSession) -> None:
    rows = "(1, TIME'00:00:01', array(TIME'00:00:02.5', NULL), 0L), (1, NULL, array(), 1L)"
    kind = f"CAST(2 AS TINYINT) AS {KIND_COLUMN}"
    source = f"SELECT k, t, a, o, {kind} FROM VALUES {rows} AS r(k, t, a, o)"
    changes = normalize(spark.sql(source), ["k", "t", "a"], key=["k"], at="o")
    assert changes.schema["a"].dataType.simpleString() == "array<time(6)>"
    assert [tuple(row) for row in changes.collect()] == [(1, None, [], 0)]
    first = normalize(spark.sql(f"{source} WHERE o = 0"), ["k", "t", "a"], key=["k"], at="o")
    texts = first.selectExpr("CAST(t AS STRING)", "CAST(a AS STRING)").collect()
    assert [tuple(row) for row in texts] == [("00:00:01", "[00:00:02.5, null]")]
