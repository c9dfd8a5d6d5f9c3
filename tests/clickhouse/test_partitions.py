"""PARTITION BY and ORDER BY of tables at rest: where rows stand, and what is read of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

    from tests.clickhouse.warehouse import Warehouse

pytestmark = pytest.mark.spark

TABLE = """
    CREATE TABLE p (id Int64, at DateTime('UTC'), s String) ENGINE = MergeTree
    PARTITION BY (toYYYYMM(at), id % 2) ORDER BY (s, id);
    CREATE TABLE seen (id Int64) ENGINE = MergeTree ORDER BY id;
    CREATE MATERIALIZED VIEW see TO seen AS SELECT id FROM p;
    INSERT INTO p VALUES (1, '2024-05-01 00:00:00', 'b'), (2, '2024-05-31 23:59:59', 'a'),
        (3, '2024-06-01 00:00:00', ''), (4, '2024-07-01 00:00:00', 'c');
    INSERT INTO p SELECT id + 4, at, s FROM p;
    SELECT * FROM p WHERE id = 3 FORMAT JSONCompactEachRow;
"""
DROPPED = """
    OPTIMIZE TABLE p;
    ALTER TABLE p DROP PARTITION (202405, 1);
    SELECT id FROM p ORDER BY id FORMAT JSONCompactEachRow;
    ALTER TABLE p DROP PARTITION ID '202406-1';
    ALTER TABLE p DROP PARTITION tuple(209901, 1);
    ALTER TABLE p ADD COLUMN c UInt8 DEFAULT id + 1;
    OPTIMIZE TABLE p PARTITION (202407, 0) FINAL;
    OPTIMIZE TABLE p FINAL;
    SELECT id FROM p ORDER BY id FORMAT JSONCompactEachRow;
    ALTER TABLE p DROP PARTITION ALL;
    SELECT count() FROM p FORMAT JSONCompactEachRow;
    SELECT count(), sum(id) FROM seen FORMAT JSONCompactEachRow;
"""
# What ClickHouse 26.9 gives after the same statements: OPTIMIZE merges in each partition.
MERGED = """
    CREATE TABLE r (id Int64, m UInt8, v UInt8) ENGINE = ReplacingMergeTree(v)
    PARTITION BY m ORDER BY id;
    INSERT INTO r VALUES (1, 1, 1), (1, 2, 2), (2, 1, 1), (2, 1, 2);
    INSERT INTO r VALUES (1, 1, 3);
    SELECT * FROM r FINAL ORDER BY id FORMAT JSONCompactEachRow;
    OPTIMIZE TABLE r FINAL;
    SELECT * FROM r ORDER BY id, m FORMAT JSONCompactEachRow;
    CREATE TABLE l (id Int64, s String, n UInt64) ENGINE = SummingMergeTree(n)
    PARTITION BY s ORDER BY (id, s);
    INSERT INTO l VALUES (1, '', 1), (1, 'x', 2), (1, '', 3);
    OPTIMIZE TABLE l PARTITION 'x' FINAL;
    SELECT count() FROM l FORMAT JSONCompactEachRow;
    OPTIMIZE TABLE l FINAL;
    ALTER TABLE l DROP PARTITION 'x';
    SELECT * FROM l FORMAT JSONCompactEachRow;
    CREATE TABLE y (year UInt16, id Int64, n UInt64) ENGINE = SummingMergeTree
    PARTITION BY year ORDER BY id;
    INSERT INTO y VALUES (2023, 1, 5), (2024, 1, 7), (2023, 1, 6), (2023, 2, 0);
    OPTIMIZE TABLE y FINAL;
    SELECT * FROM y ORDER BY year FORMAT JSONCompactEachRow;
"""


FIRST = [[3, "2024-06-01 00:00:00", ""]]
LEFT = [[2], [3], [4], [6], [7], [8], [2], [4], [6], [8], [0], [8, 36]]
OPTIMIZED = [[1, 1, 3], [2, 1, 2], [1, 1, 3], [1, 2, 2], [2, 1, 2], [3], [1, "", 4]]
OPTIMIZED += [[2023, 1, 11], [2024, 1, 7]]


def _rows(spark: SparkSession, warehouse: Warehouse, table: str) -> DataFrame:
    (folder,) = (warehouse.folder / "tables").glob(f"{table}-*")
    return spark.read.format("delta").load(str(folder))


def _files(rows: DataFrame, condition: str) -> int:
    return len(rows.where(condition).inputFiles())


def test_rows_stand_in_partitions_that_can_be_dropped(
    warehouse: Warehouse, spark: SparkSession
) -> None:
    assert warehouse.run(TABLE) == FIRST
    rows = _rows(spark, warehouse, "p")
    ids = sorted(row[0] for row in rows.select("__partition").distinct().collect())
    assert ids == ["202405-0", "202405-1", "202406-1", "202407-0"]
    # A file has rows of one partition, so that a time is looked for in few of them.
    assert (_files(rows, "true"), _files(rows, "at >= '2024-07-01 00:00:00'")) == (8, 2)
    assert warehouse.run(DROPPED) == LEFT


@pytest.mark.slow
def test_rows_of_a_key_are_merged_in_each_partition(warehouse: Warehouse) -> None:
    assert warehouse.run(MERGED) == OPTIMIZED


def test_the_last_row_of_a_key_is_that_of_the_last_partition(warehouse: Warehouse) -> None:
    """As in ClickHouse 26.9; so OPTIMIZE of one partition changes nothing."""
    made = """
        CREATE TABLE p (k UInt64, m UInt32, v String) ENGINE = ReplacingMergeTree
        PARTITION BY m ORDER BY k;
        CREATE TABLE c (k UInt64, m UInt32, n Int8, v UInt8) PARTITION BY m ORDER BY k
        ENGINE = VersionedCollapsingMergeTree(n, v);
        INSERT INTO c VALUES (1, 10, 1, 0), (1, 2, 1, 0), (1, 2, -1, 0);
        INSERT INTO p VALUES (1, 10, 'old'), (2, 2, 'old');
        INSERT INTO p VALUES (1, 2, 'new'), (2, 10, 'new');
        SELECT m, n FROM c FINAL FORMAT JSONCompactEachRow;
    """
    asked = "SELECT v FROM p FINAL ORDER BY k FORMAT JSONCompactEachRow;"
    every = f"{asked}OPTIMIZE TABLE p PARTITION 10 FINAL;{asked}OPTIMIZE TABLE p FINAL;{asked}"
    assert warehouse.run(made + every) == [[10, 1], *[["new"], ["old"]] * 3]


@pytest.mark.slow
def test_files_are_of_one_range_of_the_sorting_key(
    warehouse: Warehouse, spark: SparkSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("penstock.spark.delta._FILE_BYTES", 2000)
    numbers = ", ".join(f"({n * 37 % 100}, 'name {n}')" for n in range(100))
    made = (
        "CREATE TABLE s (id UInt64, name String) ENGINE = MergeTree ORDER BY (intDiv(id, 2), id);"
    )
    warehouse.run(made + f"INSERT INTO s VALUES {numbers};" * 5)
    before = _files(_rows(spark, warehouse, "s"), "id = 17")
    warehouse.run("OPTIMIZE TABLE s FINAL;")
    rows = _rows(spark, warehouse, "s")
    assert rows.where("id = 17").count() == 5
    assert (before >= 5, _files(rows, "true") > 2, _files(rows, "id = 17")) == (True, True, 1)
