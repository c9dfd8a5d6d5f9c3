"""Lookup joins: rows of a topic find a table at rest as it is in each micro-batch.

What is expected is SQL's: no NULL equals another, a row has all partners there are, and a row that
was told stays as it was told.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from penstock import Session
from penstock.kafka.record import Record
from penstock.kafka.records import produce
from tests.helpers import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus
    from penstock.runtime.job import Job

pytestmark = pytest.mark.kafka

WAIT_S = 60
COLUMNS = ("k", "region", "name", "low")
Rows = list[tuple[Any, ...]]
FIRST: Rows = [
    ("a", "eu", "Ann", 0),
    ("a", "eu", "Anna", 0),
    ("a", "us", "Al", 0),
    ("b", "eu", "Bob", 5),
    (None, "eu", "Nobody", 0),
]
THEN: Rows = [("a", "eu", "Anke", 0), ("c", "eu", "Cy", 0)]
ORDERS: Rows = [
    *((1, "a", "eu"), (2, "a", "us"), (3, "b", "eu")),
    *((4, None, "eu"), (5, "c", "eu"), (6, "b", "eu")),
]
LATER: Rows = [(7, "a", "eu"), (8, "c", "eu"), (9, "b", "eu")]
MET = [(1, "Ann"), (1, "Anna"), (2, "Al"), (6, "Bob")]
ALONE = [(3, None), (4, None), (5, None)]
MET_LATER = [(7, "Anke"), (8, "Cy")]


class Dimension(ABC):
    """A table at rest that can be filled anew: its CREATE TABLE, or what it is bound to."""

    bound = ""
    options = "'connector' = 'jdbc', 'url' = 'jdbc:mysql://nowhere/shop', 'lookup.cache' = 'NONE'"

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self.spark = spark
        self.folder = folder / "dim"

    @abstractmethod
    def fill(self, rows: Rows) -> None:
        """Put these rows in the place of those it has."""

    @property
    def ddl(self) -> str:
        return (
            "CREATE TABLE dim (k STRING, region STRING, name STRING, low INT, "
            f"PRIMARY KEY (name) NOT ENFORCED) WITH ({self.options});"
        )


class Files(Dimension):
    @property
    def options(self) -> str:  # type: ignore[override]
        return f"'connector' = 'filesystem', 'path' = '{self.folder}', 'format' = 'json'"

    def fill(self, rows: Rows) -> None:
        self.folder.mkdir(exist_ok=True)
        written = self.folder / ".written"
        written.write_text(
            "".join(json.dumps(dict(zip(COLUMNS, r, strict=True))) + "\n" for r in rows)
        )
        # Another name than before: Spark must look into the folder again.
        for old in self.folder.glob("*.json"):
            old.unlink()
        written.rename(self.folder / f"{len(rows)}.json")


class BoundFile(Files):
    options = Dimension.options  # type: ignore[assignment]

    @property
    def bound(self) -> str:  # type: ignore[override]
        return str(self.folder / "rows")

    def fill(self, rows: Rows) -> None:
        super().fill(rows)
        (self.folder / f"{len(rows)}.json").rename(self.bound)


class Delta(Dimension):
    @property
    def options(self) -> str:  # type: ignore[override]
        return f"'connector' = 'delta', 'table-path' = '{self.folder}'"

    def fill(self, rows: Rows) -> None:
        values = ", ".join(str(row).replace("None", "CAST(NULL AS STRING)") for row in rows)
        found = self.spark.sql(f"SELECT * FROM VALUES {values} AS v ({', '.join(COLUMNS)})")
        found.write.format("delta").mode("overwrite").save(str(self.folder))


class BoundDelta(Delta):
    options = Dimension.options  # type: ignore[assignment]

    @property
    def bound(self) -> str:  # type: ignore[override]
        return str(self.folder)


class OfClickHouse(Dimension):
    """A table of a warehouse, by its folder."""

    @property
    def options(self) -> str:  # type: ignore[override]
        (found,) = (self.folder / "warehouse.d" / "tables").iterdir()
        return f"'connector' = 'delta', 'table-path' = '{found}'"

    def fill(self, rows: Rows) -> None:
        values = ", ".join(str(row).replace("None", "NULL") for row in rows)
        Session(self.spark, state_dir=self.folder).execute(
            "CREATE TABLE IF NOT EXISTS dim (k Nullable(String), region String, name String, "
            "low UInt8) ENGINE = MergeTree ORDER BY region;"
            f"TRUNCATE TABLE dim; INSERT INTO dim VALUES {values};",
            dialect="clickhouse",
        ).wait(WAIT_S)


class Orders:
    """A topic of orders, joined with a dimension into two files."""

    def __init__(
        self, spark: SparkSession, address: str, topic: str, folder: Path, dimension: Dimension
    ) -> None:
        self.properties = {"bootstrap.servers": address}
        self.topic, self.folder, self.dimension = topic, folder, dimension
        bindings = {name: str(folder / name) for name in ("met", "kept")}
        if dimension.bound:
            bindings["dim"] = dimension.bound
        self.session = Session(
            spark, bootstrap=address, bindings=bindings, state_dir=folder / "state"
        )

    def send(self, rows: Rows) -> None:
        lines = (json.dumps({"id": i, "k": k, "region": r}).encode() for i, k, r in rows)
        produce(self.properties, self.topic, [Record(value=line) for line in lines])

    def start(self, *, drain: bool = False, version: str = " FOR SYSTEM_TIME AS OF o.at") -> Job:
        joined = f"JOIN dim{version} AS d ON o.k = d.k AND o.region = d.region AND o.id >= d.low;"
        return self.session.execute(
            "CREATE TABLE orders (id INT, k STRING, region STRING, at AS PROCTIME()) WITH ("
            "'connector' = 'kafka', 'properties.bootstrap.servers' = 'x:1', 'format' = 'json', "
            f"'topic' = '{self.topic}', 'scan.startup.mode' = 'earliest-offset');"
            "CREATE TABLE met (id INT, name STRING) WITH ('connector' = 'print');"
            "CREATE TABLE kept (id INT, name STRING) WITH ('connector' = 'print');"
            f"{self.dimension.ddl}"
            f"INSERT INTO met SELECT o.id, d.name FROM orders AS o {joined}"
            f"INSERT INTO kept SELECT o.id, d.name FROM orders AS o LEFT {joined}",
            name="lookups",
            drain=drain,
        )

    def found(self, name: str) -> Counter[tuple[int, str | None]]:
        file = self.folder / name
        lines = map(json.loads, file.read_text().splitlines() if file.exists() else [])
        return Counter((line["id"], line["name"]) for line in lines)

    def told(self, met: Rows, alone: Rows) -> bool:
        return self.found("met") == Counter(met) and self.found("kept") == Counter([*met, *alone])


@pytest.fixture
def orders(
    request: pytest.FixtureRequest,
    spark: SparkSession,
    broker: BrokerStatus,
    topic: Callable[[str], str],
    tmp_path: Path,
) -> Orders:
    dimension: Dimension = request.param(spark, tmp_path)
    dimension.fill(FIRST)
    found = Orders(spark, broker.address, topic("orders"), tmp_path, dimension)
    found.send(ORDERS)
    return found


EVERY_KIND = [
    *(Files, BoundFile, Delta, OfClickHouse),
    pytest.param(BoundDelta, marks=pytest.mark.slow),
]


@pytest.mark.parametrize("orders", EVERY_KIND, indirect=True)
def test_each_batch_finds_the_table_as_it_is(orders: Orders) -> None:
    job = orders.start()
    wait_until(lambda: orders.told(MET, ALONE) or not job.is_active, timeout_s=WAIT_S)
    orders.dimension.fill(THEN)
    orders.send(LATER[:2])
    wait_until(lambda: orders.told(MET + MET_LATER, ALONE) or not job.is_active, timeout_s=WAIT_S)
    job.stop()
    # A table that was changed meanwhile is no other table.
    orders.dimension.fill([*THEN, ("b", "eu", "Bea", 0)])
    orders.send(LATER[2:])
    orders.start(drain=True).wait(WAIT_S)
    assert orders.told([*MET, *MET_LATER, (9, "Bea")], ALONE)


@pytest.mark.parametrize("orders", [Delta], indirect=True)
def test_a_plain_join_finds_the_table_as_it_first_was(orders: Orders) -> None:
    orders.start(drain=True, version="").wait(WAIT_S)
    orders.dimension.fill(THEN)
    orders.send(LATER)
    orders.start(drain=True, version="").wait(WAIT_S)
    assert orders.told([*MET, (7, "Ann"), (7, "Anna"), (9, "Bob")], [*ALONE, (8, None)])
