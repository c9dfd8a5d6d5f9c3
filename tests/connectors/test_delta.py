"""`delta`: a Delta table by its folder, read whole, as a stream or as a dimension, and added to."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from penstock import PenstockError, RunError, Session
from penstock.catalog.connect import Overrides
from penstock.plan.engine import require_runnable
from penstock.plan.explain import explain
from penstock.plan.script import plan_script
from penstock.sql.parse import parse
from tests.helpers import last_commit, take_back

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.plan.query import ScriptPlan

WAIT_S = 120
ORDERS = (
    "CREATE TABLE orders (id INT, at AS PROCTIME() {key}) WITH ('connector' = '{connector}', "
    "'topic' = 'orders', 'properties.bootstrap.servers' = 'x:1', {formats});"
)
PLAIN = ORDERS.format(
    key="",
    connector="kafka",
    formats="'format' = 'json', 'scan.startup.mode' = 'earliest-offset'",
)
UPSERTS = ORDERS.format(
    key=", PRIMARY KEY (id) NOT ENFORCED",
    connector="upsert-kafka",
    formats="'key.format' = 'json', 'value.format' = 'json'",
)
SHOWN = "CREATE TABLE shown (id INT, name STRING) WITH ('connector' = 'print');"
UPSERTED = (
    "CREATE TABLE shown (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ("
    "'connector' = 'upsert-kafka', 'topic' = 'shown', 'properties.bootstrap.servers' = 'x:1', "
    "'key.format' = 'json', 'value.format' = 'json');"
)


def table(columns: str, options: str = "", name: str = "t") -> str:
    given = f"'connector' = 'delta', 'table-path' = '/lake/t'{options}"
    return f"CREATE TABLE {name} ({columns}) WITH ({given});"


def planned(text: str, **bindings: str) -> ScriptPlan:
    return plan_script(parse(text, None), name="job", overrides=Overrides(bindings=bindings))


REFUSED = {
    table("id INT", ", 'path' = '/lake/t'"): "UNKNOWN_OPTION",
    "CREATE TABLE t (id INT) WITH ('connector' = 'delta', 'path' = 'x');": "MISSING_OPTION",
    table("id INT", ", 'mode' = 'fast'"): "INVALID_OPTION_VALUE",
    table("id INT", ", 'startingVersion' = '3'"): "CONFLICTING_OPTIONS",
    table("id INT", ", 'mode' = 'streaming', 'versionAsOf' = '3'"): "CONFLICTING_OPTIONS",
    table("id INT", ", 'versionAsOf' = '3', 'timestampAsOf' = '2024-01-01'"): "CONFLICTING_OPTIONS",
    table("id INT, at TIME"): "UNSUPPORTED_TYPE",
    table("id INT, rows ARRAY<INTERVAL DAY>"): "UNSUPPORTED_TYPE",
    table("id INT, at STRING METADATA") + SHOWN + "INSERT INTO shown SELECT id, at FROM t;": (
        "UNKNOWN_METADATA"
    ),
    PLAIN + table("id INT, n BIGINT") + "INSERT INTO t SELECT id, COUNT(*) FROM orders "
    "GROUP BY id;": "SINK_CANNOT_UPDATE",
    PLAIN + SHOWN + table("id INT, name STRING", ", 'mode' = 'streaming'") + "INSERT INTO shown "
    "SELECT o.id, t.name FROM orders o JOIN t FOR SYSTEM_TIME AS OF o.at ON o.id = t.id;": (
        "INVALID_QUERY"
    ),
}


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused(text: str) -> None:
    with pytest.raises(PenstockError) as refused:
        planned(text)
    assert refused.value.code == REFUSED[text]


LOOKUP = (
    "INSERT INTO shown SELECT o.id, d.name FROM orders o "
    "JOIN dim FOR SYSTEM_TIME AS OF o.at AS d ON o.id = d.id;"
)
DIMENSION = table("id INT, name STRING", name="dim")


def test_explain_shows_the_lookup() -> None:
    text = explain(planned(PLAIN + SHOWN + DIMENSION + LOOKUP))
    assert "Inner lookup join [append] on o.id = d.id" in text
    assert "right side: as it is in each micro-batch" in text
    assert "Scan dim [append] ← Delta table /lake/t\n" in text


@pytest.mark.parametrize(
    "script",
    [
        UPSERTS + UPSERTED + DIMENSION + LOOKUP,
        PLAIN + SHOWN + DIMENSION + LOOKUP.replace(" FOR SYSTEM_TIME AS OF o.at", ""),
    ],
    ids=["rows that change", "a plain join"],
)
def test_what_is_looked_up_as_it_first_was(script: str) -> None:
    assert "right side: as it was when the query began" in explain(planned(script))


def test_counts_of_what_is_looked_up_are_not_written_exactly_once() -> None:
    """A batch that is run again could find the table changed."""
    counts = """CREATE TABLE counts (name STRING, n BIGINT, PRIMARY KEY (name) NOT ENFORCED) WITH (
      'connector' = 'upsert-kafka', 'topic' = 'c', 'properties.bootstrap.servers' = 'x:1',
      'key.format' = 'json', 'value.format' = 'json'{more});"""
    exactly = ", 'sink.delivery-guarantee' = 'exactly-once', 'sink.transactional-id-prefix' = 'p'"
    query = LOOKUP.replace("shown SELECT o.id, d.name", "counts SELECT d.name, COUNT(*)")
    query = query.replace(";", " GROUP BY d.name;")
    require_runnable(planned(PLAIN + counts.format(more="") + DIMENSION + query).queries)
    plain = query.replace(" FOR SYSTEM_TIME AS OF o.at", "")
    require_runnable(planned(PLAIN + counts.format(more=exactly) + DIMENSION + plain).queries)
    with pytest.raises(PenstockError) as refused:
        require_runnable(planned(PLAIN + counts.format(more=exactly) + DIMENSION + query).queries)
    assert refused.value.code == "UNSUPPORTED_QUERY"


def test_a_folder_of_a_delta_table_is_bound(tmp_path: Path) -> None:
    (tmp_path / "_delta_log").mkdir()
    bound = SHOWN + "CREATE TABLE dim (id INT, name STRING METADATA FROM 'x') WITH ("
    text = bound + "'connector' = 'jdbc'); INSERT INTO shown SELECT id, name FROM dim;"
    assert f"Scan dim ← Delta table {tmp_path}\n" in explain(planned(text, dim=str(tmp_path)))


def test_it_is_not_bound_to_a_table_of_clickhouse(tmp_path: Path) -> None:
    (tmp_path / "_delta_log").mkdir()
    with pytest.raises(PenstockError) as refused:
        planned(
            "CREATE TABLE t (id Int32) ENGINE = Kafka('x:1', 't', 'g', 'JSONEachRow');"
            "SELECT id FROM t;",
            t=str(tmp_path),
        )
    assert refused.value.code == "INVALID_ARGUMENT"


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

    def run(self, script: str, *, drain: bool = False) -> None:
        assert self._session.execute(script, name="lake", drain=drain).wait(WAIT_S)


@pytest.fixture
def lake(spark: SparkSession, tmp_path: Path) -> Lake:
    return Lake(spark, tmp_path)


@pytest.mark.spark
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


@pytest.mark.spark
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


@pytest.mark.spark
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


@pytest.mark.spark
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


@pytest.mark.spark
def test_columns_that_do_not_fit(lake: Lake) -> None:
    lake.fill("one", "SELECT 1L AS id, TIMESTAMP_NTZ '2024-05-01 12:00:00' AS local")
    for columns, problem in UNFIT.items():
        with pytest.raises(RunError, match=problem) as refused:
            lake.run(lake.table("one", columns) + "SELECT * FROM one;")
        assert refused.value.code == "DELTA_COLUMN_DIFFERS"


@pytest.mark.spark
def test_a_table_that_is_not_there(lake: Lake) -> None:
    with pytest.raises(RunError, match="_delta_log") as refused:
        lake.run(lake.table("one", "id INT") + "SELECT * FROM one;")
    assert refused.value.code == "DELTA_TABLE_UNREADABLE"
