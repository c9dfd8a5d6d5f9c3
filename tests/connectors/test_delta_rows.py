"""`delta`, on the disk: rows read and added in the types of a script, batch by batch."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from penstock import RunError, Session
from tests.helpers import last_commit, take_back, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.readwriter import DataStreamWriter

    from penstock.runtime.job import Job

    Attach = Callable[["Lake", DataStreamWriter], DataStreamWriter]

pytestmark = pytest.mark.spark

WAIT_S = 120


class Lake:
    """Delta tables `one` and `other` of one test, and scripts over them."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self.spark, self.folder = spark, folder
        self._session = Session(spark, state_dir=folder / "state")

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def table(self, name: str, columns: str, options: str = "", partitions: str = "") -> str:
        given = f"'connector' = 'delta', 'table-path' = '{self.path(name)}'{options}"
        return f"CREATE TABLE {name} ({columns}) {partitions} WITH ({given});"

    def fill(self, name: str, select: str, *partitions: str) -> None:
        writer = self.spark.sql(select).write.format("delta").mode("append")
        writer.partitionBy(*partitions).save(self.path(name))

    def rows(self, name: str) -> list[tuple[Any, ...]]:
        found = self.spark.read.format("delta").load(self.path(name))
        return [tuple(row) for row in found.collect()]

    def batches(self) -> int:
        """How many of a query are noted as done."""
        return len(list((self.folder / "state").rglob("checkpoint/commits/[0-9]*")))

    def start(self, script: str, *, drain: bool = False) -> Job:
        return self._session.execute(script, name="lake", drain=drain)

    def run(self, script: str, *, drain: bool = False) -> None:
        assert self.start(script, drain=drain).wait(WAIT_S)


@pytest.fixture
def lake(spark: SparkSession, tmp_path: Path) -> Lake:
    return Lake(spark, tmp_path)


def test_columns_in_the_types_of_the_script(lake: Lake) -> None:
    """The row of Spark, in Flink's types: a TIMESTAMP is what the instant shows in UTC."""
    lake.fill(
        "one",
        "SELECT 1S AS small, 7 AS whole, 1.5F AS part, CAST(2.50 AS DECIMAL(5, 2)) AS price, "
        "TIMESTAMP '2024-05-01 12:00:00 UTC' AS at, TIMESTAMP_NTZ '2024-05-01 12:00:00' AS local, "
        "TIMESTAMP '2024-05-01 12:00:00 UTC' AS instant, named_struct('a-b', 1) AS nested, "
        "array(1, NULL) AS list, map('k', 2) AS pairs, 'unasked' AS other",
    )
    columns = (
        "pairs MAP<STRING, INT>, small INT, whole BIGINT, part DOUBLE, price DECIMAL(10, 4), "
        "at TIMESTAMP(3), local TIMESTAMP(6), instant TIMESTAMP_LTZ(3), nested ROW<`a-b` INT>, "
        "list ARRAY<INT>"
    )
    copied = "INSERT INTO other SELECT * FROM one;"
    lake.run(lake.table("one", columns) + lake.table("other", columns) + copied)
    noon = datetime(2024, 5, 1, 12)
    expected = ({"k": 2}, 1, 7, 1.5, Decimal("2.5000"), noon, noon, noon, (1,), [1, None])
    assert lake.rows("other") == [expected]
    stored = {
        f.name: f.dataType.simpleString()
        for f in lake.spark.read.format("delta").load(lake.path("other")).schema
    }
    assert (stored["at"], stored["local"], stored["instant"]) == ("timestamp",) * 3
    # What the script wrote it also reads, and adds to.
    lake.run(lake.table("one", columns) + lake.table("other", columns) + copied)
    assert lake.rows("other") == [expected] * 2


def test_a_table_is_made_with_partitions_and_properties(lake: Lake) -> None:
    options = ", 'delta.appendOnly' = 'true'"
    made = lake.table("one", "id INT, city STRING", options, "PARTITIONED BY (city)")
    lake.run(made + "INSERT INTO one VALUES (1, 'Ulm'), (2, 'Bonn');")
    assert Counter(lake.rows("one")) == Counter([(1, "Ulm"), (2, "Bonn")])
    assert (lake.folder / "one" / "city=Ulm").is_dir()
    (found,) = lake.spark.sql(f"DESCRIBE DETAIL delta.`{lake.path('one')}`").collect()
    assert found["properties"]["delta.appendOnly"] == "true"
    for other in (
        lake.table("one", "id INT, city STRING", options),
        lake.table("one", "id INT, city STRING", ", 'delta.appendOnly' = 'false'").replace(
            " WITH", "PARTITIONED BY (city) WITH"
        ),
    ):
        with pytest.raises(RunError) as refused:
            lake.run(other + "INSERT INTO one VALUES (3, 'Köln');")
        assert refused.value.code == "DELTA_TABLE_DIFFERS"


def test_a_stream_of_one_table_into_another_is_exactly_once(lake: Lake) -> None:
    """The other by a URI."""
    lake.fill("one", "SELECT 1 AS id, 'a' AS name")
    path = lake.path("other")
    script = (
        lake.table("one", "id INT, name STRING")
        + lake.table("other", "name STRING, id INT").replace(path, f"file://{path}")
        + "INSERT INTO other SELECT name, id FROM one /*+ OPTIONS('mode' = 'streaming') */;"
    )
    lake.run(script, drain=True)
    lake.fill("one", "SELECT 2 AS id, 'b' AS name")
    lake.run(script, drain=True)
    take_back(last_commit(lake.folder / "state"))
    lake.fill("one", "SELECT 3 AS id, 'c' AS name")
    lake.run(script, drain=True)
    assert Counter(lake.rows("other")) == Counter([("a", 1), ("b", 2), ("c", 3)])


def test_batches_of_one_run_while_the_table_gets_a_column(lake: Lake) -> None:
    """Then the last of them once more, as after a crash."""
    lake.fill("one", "SELECT 1 AS id")
    script = (
        lake.table("one", "id INT", ", 'mode' = 'streaming'")
        + lake.table("other", "id INT")
        + "INSERT INTO other SELECT id FROM one;"
    )
    job = lake.start(script)
    for number in range(1, 6):
        wait_until(lambda: lake.batches() == number or not job.is_active, timeout_s=WAIT_S)  # noqa: B023
        job.raise_failure()
        if number == 3:
            lake.spark.sql(f"ALTER TABLE delta.`{lake.path('other')}` ADD COLUMN note STRING")
        if number < 5:
            lake.fill("one", f"SELECT {number + 1} AS id")
    job.stop()
    take_back(last_commit(lake.folder / "state"))
    lake.run(script, drain=True)
    assert Counter(lake.rows("other")) == Counter((number, None) for number in range(1, 6))


def _blocks(lake: Lake) -> Any:
    """What adds blocks to the table `other`, in Java."""
    gateway: Any = lake.spark.sparkContext._jvm
    return gateway.penstock.delta.BlockAppends(lake.path("other"), "stream")


def _streamed(lake: Lake, writer: DataStreamWriter) -> DataStreamWriter:
    return writer.format("penstock.delta.AppendProvider").option("path", lake.path("other"))


def _one_by_one(lake: Lake, writer: DataStreamWriter) -> DataStreamWriter:
    blocks = _blocks(lake)
    return writer.foreachBatch(lambda batch, number: blocks.add(number, batch._jdf))


@pytest.mark.parametrize("attach", [_streamed, _one_by_one])
def test_a_checkpoint_that_lags_behind_the_table(attach: Attach, lake: Lake) -> None:
    for number in range(1, 6):
        lake.fill("one", f"SELECT {number} AS id")
    checkpoint = lake.folder / "checkpoint"

    def run() -> None:
        rows = lake.spark.readStream.format("delta").option("maxFilesPerTrigger", 1)
        writer = attach(lake, rows.load(lake.path("one")).writeStream)
        writer = writer.option("checkpointLocation", checkpoint)
        writer.trigger(availableNow=True).start().awaitTermination()

    run()
    for kind in ("commits", "offsets"):
        for number in (2, 3, 4):
            (checkpoint / kind / str(number)).unlink()
    run()
    assert Counter(lake.rows("other")) == Counter((number,) for number in range(1, 6))


def test_a_block_that_is_tried_again(lake: Lake) -> None:
    """What adds it may be the same as before."""
    lake.fill("other", "SELECT 0 AS id")
    blocks = _blocks(lake)
    for number in (1, 2, 3, 3, 4):
        blocks.add(number, lake.spark.sql(f"SELECT {number} AS id")._jdf)
    assert Counter(lake.rows("other")) == Counter((number,) for number in range(5))


def test_a_version_of_before(lake: Lake) -> None:
    lake.fill("one", "SELECT 1 AS id")
    lake.fill("one", "SELECT 2 AS id")
    lake.run(
        lake.table("one", "id INT", ", 'versionAsOf' = '0'")
        + lake.table("other", "id INT")
        + "INSERT INTO other SELECT id FROM one;"
    )
    assert lake.rows("other") == [(1,)]


UNFIT = {
    "name STRING": "is not there",
    "id SMALLINT": "has the type BIGINT",
    "id STRING": "has the type BIGINT",
    "local TIMESTAMP_LTZ(3)": "has the type TIMESTAMP_NTZ",
}


def test_columns_that_do_not_fit(lake: Lake) -> None:
    lake.fill("one", "SELECT 1L AS id, TIMESTAMP_NTZ '2024-05-01 12:00:00' AS local")
    for columns, problem in UNFIT.items():
        with pytest.raises(RunError, match=problem) as refused:
            lake.run(lake.table("one", columns) + "SELECT * FROM one;")
        assert refused.value.code == "DELTA_COLUMN_DIFFERS"


def test_a_table_that_is_not_there(lake: Lake) -> None:
    with pytest.raises(RunError, match="_delta_log") as refused:
        lake.run(lake.table("one", "id INT") + "SELECT * FROM one;")
    assert refused.value.code == "DELTA_TABLE_UNREADABLE"
