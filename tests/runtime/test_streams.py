"""Streams on Spark's own operators, beside what the `.sql` cases hold: updates and still tables."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from penstock import PenstockError, Session
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
        ["+I[a, 2]", "+I[b, 1]", "+I[c, 1]"]
    )
    stream.send([(5, "a", 7)])
    stream.run(GROUPED)
    assert capsys.readouterr().out == "-U[a, 2]\n+U[a, 3]\n"


def test_groups_above_a_join(stream: Stream, capsys: pytest.CaptureFixture[str]) -> None:
    stream.run(
        "INSERT INTO shown SELECT a.k, COUNT(DISTINCT b.id) FROM orders a JOIN orders b "
        "ON a.k = b.k GROUP BY a.k;"
    )
    last = dict(line[3:-1].split(", ") for line in capsys.readouterr().out.splitlines())
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


TIMED = (
    "CREATE TABLE {name} (id INT, k STRING, n INT, ts TIMESTAMP(3), "
    "WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'kafka', 'format' = 'json', "
    "'properties.bootstrap.servers' = 'x:1', 'topic' = '{topic}', "
    "'scan.startup.mode' = 'earliest-offset');"
)


@pytest.fixture
def timed(stream: Stream, topic: Callable[[str], str]) -> Callable[..., str]:
    """Makes a table with a watermark; further calls send more rows to it."""
    topics: dict[str, str] = {}

    def make(name: str, *rows: tuple[int, str, str]) -> str:
        place = topics.setdefault(name, topic(name))
        lines = [json.dumps({"id": i, "k": k, "n": i, "ts": f"2024-01-01 {t}"}) for i, k, t in rows]
        produce(stream.properties, place, [Record(value=line.encode()) for line in lines])
        return TIMED.format(name=name, topic=place)

    return make


def test_a_join_without_a_bound_in_time_keeps_late_rows(
    stream: Stream, timed: Callable[..., str]
) -> None:
    script = "INSERT INTO result SELECT a.id, b.k FROM a JOIN b ON a.id = b.id WHERE a.n > 0;"
    stream.run(timed("a", (1, "x", "10:00:00")) + timed("b", (9, "y", "12:00:00")) + script)
    tables = timed("a", (2, "x", "12:00:00")) + timed("b", (1, "late", "09:00:00"))
    stream.run(tables + script)
    tables = timed("a", (9, "x", "08:00:00")) + timed("b")
    stream.run(tables + script)
    assert stream.results() == Counter(['{"id":1,"v":"late"}', '{"id":9,"v":"y"}'])


def test_a_table_that_stands_still_holds_no_window_back(
    stream: Stream, timed: Callable[..., str]
) -> None:
    stream.run(
        timed("a", (1, "x", "10:00:00"), (2, "x", "10:00:05"), (3, "x", "10:05:00"))
        + timed("b")
        + "INSERT INTO result SELECT CAST(COUNT(*) AS INT), k FROM "
        "TABLE(TUMBLE(TABLE a, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) "
        "GROUP BY k, window_start, window_end UNION ALL SELECT id, k FROM b;"
    )
    assert stream.results() == Counter(['{"id":2,"v":"x"}'])


WINDOWED = (
    "INSERT INTO result SELECT CAST(COUNT(*) AS INT), k FROM "
    "TABLE(TUMBLE(TABLE v, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) "
    "GROUP BY k, window_start, window_end;"
)


@pytest.mark.parametrize(
    "view",
    [
        "SELECT ts, k FROM a WHERE k IN (SELECT w.k FROM (VALUES ('x')) AS w(k))",
        "SELECT a.ts, a.k FROM a JOIN (VALUES ('x')) AS w(k) ON a.k = w.k",
    ],
)
def test_a_still_side_leaves_the_time_alone(
    view: str, stream: Stream, timed: Callable[..., str]
) -> None:
    rows = ((1, "x", "10:00:00"), (2, "y", "10:00:05"), (3, "y", "10:05:00"))
    stream.run(timed("a", *rows) + f"CREATE VIEW v AS {view};" + WINDOWED)
    assert stream.results() == Counter(['{"id":1,"v":"x"}'])


def test_rows_without_elements_move_time_on(stream: Stream, timed: Callable[..., str]) -> None:
    stream.run(
        timed("a", (1, "x", "10:00:00"), (2, "x,y", "10:00:05"), (3, "", "10:05:00"))
        + "CREATE VIEW v AS SELECT ts, p FROM a CROSS JOIN UNNEST("
        "IF(k = '', CAST(NULL AS ARRAY<STRING>), SPLIT(k, ','))) AS u(p);"
        "INSERT INTO result SELECT CAST(COUNT(*) AS INT), p FROM "
        "TABLE(TUMBLE(TABLE v, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) "
        "GROUP BY p, window_start, window_end;"
    )
    assert stream.results() == Counter(['{"id":2,"v":"x"}', '{"id":1,"v":"y"}'])


def test_one_bound_of_a_window_is_a_key_like_others(
    stream: Stream, timed: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    stream.run(
        timed("a", (1, "x", "10:00:00"), (2, "x", "10:00:05"), (3, "x", "10:05:00"))
        + "INSERT INTO shown SELECT DATE_FORMAT(window_end, 'HH:mm'), COUNT(*) FROM "
        "TABLE(TUMBLE(TABLE a, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_end;"
    )
    shown = capsys.readouterr().out.split("\n")[:-1]
    assert Counter(shown) == Counter(["+I[10:01, 2]", "+I[10:06, 1]"])


EDITS = [
    (
        "SELECT k, CAST(SUM(n) AS BIGINT) FROM orders GROUP BY k",
        "SELECT k, CAST(SUM(n + 1) AS BIGINT) FROM orders GROUP BY k",
    ),
    ("SELECT k, COUNT(*) FROM orders GROUP BY k", "SELECT k, COUNT(*) FROM orders GROUP BY k, n"),
    (
        "SELECT a.k, CAST(1 AS BIGINT) FROM orders a JOIN orders b ON a.k = b.k",
        "SELECT a.k, CAST(1 AS BIGINT) FROM orders a JOIN orders b ON a.n = b.n",
    ),
]


@pytest.mark.parametrize(("before", "after"), EDITS)
def test_state_of_another_query_is_not_taken_over(before: str, after: str, stream: Stream) -> None:
    stream.run(f"INSERT INTO shown {before};")
    with pytest.raises(PenstockError) as caught:
        stream.run(f"INSERT INTO shown {after};")
    assert caught.value.code == "STATE_CHANGED"
