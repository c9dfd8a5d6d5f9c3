"""Streams on Spark's own operators, beside what the `.sql` cases hold: updates and still tables."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from penstock import Session
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus

pytestmark = pytest.mark.kafka

WAIT_S = 90
ORDERS = [(1, "a", 10), (2, "b", 20), (3, "a", 5), (4, "c", 1)]


class Stream:
    """A topic of orders, and scripts over it."""

    def __init__(
        self, spark: SparkSession, address: str, topic: Callable[[str], str], folder: Path
    ) -> None:
        self.properties = {"bootstrap.servers": address}
        self.session = Session(spark, bootstrap=address, state_dir=folder / "state")
        self.orders, self.result = topic("orders"), topic("result")
        self.send(ORDERS)

    def send(self, rows: list[tuple[int, str, int]]) -> None:
        lines = (json.dumps({"id": i, "k": k, "n": n}).encode() for i, k, n in rows)
        produce(self.properties, self.orders, [Record(value=line) for line in lines])

    def run(self, script: str, **settings: str) -> None:
        tables = (
            f"CREATE TABLE orders (id INT, k STRING, n INT, at AS PROCTIME()) WITH ({{}}, "
            f"'topic' = '{self.orders}', 'scan.startup.mode' = 'earliest-offset');"
            f"CREATE TABLE result (id INT, v STRING) WITH ({{}}, 'topic' = '{self.result}');"
            "CREATE TABLE shown (k STRING, n BIGINT) WITH ('connector' = 'print');"
        )
        kafka = "'connector' = 'kafka', 'properties.bootstrap.servers' = 'x:1', 'format' = 'json'"
        job = self.session.execute(
            tables.format(kafka, kafka) + script, name=self.orders, settings=settings, drain=True
        )
        assert job.wait(WAIT_S)

    def results(self) -> Counter[str]:
        found = consume(self.properties, self.result, from_beginning=True, until_end=True)
        return Counter((record.value or b"").decode() for record in found)


@pytest.fixture
def stream(
    spark: SparkSession, broker: BrokerStatus, topic: Callable[[str], str], tmp_path: Path
) -> Stream:
    return Stream(spark, broker.address, topic, tmp_path)


GROUPED = "INSERT INTO shown SELECT k, COUNT(*) FROM orders GROUP BY k;"


def test_groups_are_shown_again_when_they_change(
    stream: Stream, capsys: pytest.CaptureFixture[str]
) -> None:
    stream.run(GROUPED)
    assert Counter(capsys.readouterr().out.split("\n")[:-1]) == Counter(
        ["+U[a, 2]", "+U[b, 1]", "+U[c, 1]"]
    )
    stream.send([(5, "a", 7)])
    stream.run(GROUPED)
    assert capsys.readouterr().out == "+U[a, 3]\n"


def test_groups_above_a_join(stream: Stream, capsys: pytest.CaptureFixture[str]) -> None:
    stream.run(
        "INSERT INTO shown SELECT a.k, COUNT(DISTINCT b.id) FROM orders a JOIN orders b "
        "ON a.k = b.k GROUP BY a.k;"
    )
    last = dict(line.strip("+U[]").split(", ") for line in capsys.readouterr().out.splitlines())
    assert last == {"a": "2", "b": "1", "c": "1"}


def test_distinct_rows_come_once(stream: Stream, capsys: pytest.CaptureFixture[str]) -> None:
    script = "INSERT INTO shown SELECT DISTINCT k, CAST(0 AS BIGINT) FROM orders;"
    stream.run(script, **{"penstock.max-offsets-per-batch": "1"})
    stream.send([(5, "a", 7), (6, "d", 7)])
    stream.run(script)
    shown = [line[2:] for line in capsys.readouterr().out.splitlines()]
    assert Counter(shown) == Counter(["[a, 0]", "[b, 0]", "[c, 0]", "[d, 0]"])


LOOKUPS = {
    "JOIN names FOR SYSTEM_TIME AS OF o.at AS n": ["Ann", "Bob", "Ann"],
    "LEFT JOIN names FOR SYSTEM_TIME AS OF o.at AS n": ["Ann", "Bob", "Ann", None],
    "JOIN names AS n": ["Ann", "Bob", "Ann"],
    "LEFT JOIN names AS n": ["Ann", "Bob", "Ann", None],
}


@pytest.mark.parametrize("join", LOOKUPS)
def test_a_table_that_stands_still_is_joined(join: str, stream: Stream, tmp_path: Path) -> None:
    names = tmp_path / "names"
    names.mkdir()
    (names / "names.csv").write_text("a,Ann\nb,Bob\n")
    stream.run(
        "CREATE TABLE names (k STRING, name STRING) WITH ('connector' = 'filesystem', "
        f"'path' = '{names}', 'format' = 'csv');"
        f"INSERT INTO result SELECT o.id, n.name FROM orders o {join} ON o.k = n.k;"
    )
    expected = [{"id": i, "v": v} for i, v in enumerate(LOOKUPS[join], 1)]
    assert stream.results() == Counter(json.dumps(e, separators=(",", ":")) for e in expected)


def test_values_beside_a_stream(stream: Stream) -> None:
    stream.run(
        "INSERT INTO result SELECT id, k FROM orders WHERE id > 3 "
        "UNION ALL SELECT x, y FROM (VALUES (0, 'zero')) AS v(x, y);"
    )
    assert stream.results() == Counter(['{"id":4,"v":"c"}', '{"id":0,"v":"zero"}'])
