"""Tables at rest: rows from Kafka, from INSERT and from other tables, exactly once, and shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.clickhouse.queue import WAIT_S
from tests.helpers import take_back, wait_until

if TYPE_CHECKING:
    from tests.clickhouse.queue import Queue

pytestmark = pytest.mark.kafka

KEPT = "CREATE TABLE kept (n Int64) ENGINE = MergeTree ORDER BY n;"
VIEW = "CREATE MATERIALIZED VIEW v TO kept AS SELECT n FROM queue;"


def _table(queue: Queue, **settings: object) -> str:
    return queue.table("queue", queue.source, **settings) + KEPT


def _shown(queue: Queue, script: str, capsys: pytest.CaptureFixture[str]) -> list[Any]:
    """What the SELECTs of a script show, as JSON lines."""
    capsys.readouterr()
    queue.start(script).wait(WAIT_S)
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def _numbers(queue: Queue, capsys: pytest.CaptureFixture[str], table: str = "kept") -> list[int]:
    select = f"-- dialect: clickhouse\nSELECT * FROM {table} ORDER BY n FORMAT JSONCompactEachRow;"
    rows = _shown(queue, select, capsys)
    return [row[0] for row in rows]


def test_a_view_fills_a_table_and_the_script_may_be_run_again(
    queue: Queue, capsys: pytest.CaptureFixture[str]
) -> None:
    script = _table(queue) + VIEW + "SELECT count() AS c, sum(n) AS s FROM kept FORMAT JSONEachRow;"
    queue.send(range(5))
    assert _shown(queue, script, capsys) == [{"c": 5, "s": 10}]
    queue.send(range(5, 8))
    assert _shown(queue, script, capsys) == [{"c": 8, "s": 28}]
    assert _numbers(queue, capsys) == list(range(8))


@pytest.mark.parametrize("query", ["SELECT n FROM queue", "SELECT n FROM queue GROUP BY n"])
def test_a_batch_that_is_run_again_adds_nothing(
    query: str, queue: Queue, capsys: pytest.CaptureFixture[str]
) -> None:
    table = _table(queue).replace("ORDER BY", "PARTITION BY n % 2 ORDER BY")
    script = table + f"CREATE MATERIALIZED VIEW v TO kept AS {query};"
    queue.send(range(6))
    job = queue.start(script, drain=False)
    commits = queue.folder / "warehouse.d/queries/v/checkpoint/commits"
    wait_until(lambda: any(commits.glob("[0-9]*")), timeout_s=WAIT_S)
    job.stop(grace_s=0)
    take_back(max(commits.glob("[0-9]*"), key=lambda file: int(file.name)))
    queue.send(range(6, 8))
    queue.start(script).wait(WAIT_S)
    assert _numbers(queue, capsys) == list(range(8))


def test_a_view_of_a_table_at_rest_writes_what_is_inserted_from_then_on(queue: Queue) -> None:
    script = (
        KEPT
        + queue.table("copies", queue.sink)
        + "INSERT INTO kept VALUES (1);"
        + "CREATE MATERIALIZED VIEW out TO copies AS SELECT n FROM kept FORMAT JsonEachRow;"
        + "INSERT INTO kept VALUES (2), (3);"
    )
    queue.start(script).wait(WAIT_S)
    assert queue.copies() == [2, 3]


def test_views_of_one_script_each_get_every_message(
    queue: Queue, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever stands between them; what is inserted is for the views that are there by then."""
    tables = "".join(
        f"CREATE TABLE {name} (n Int64) ENGINE = MergeTree ORDER BY n;" for name in "abcde"
    )
    views = [
        "CREATE MATERIALIZED VIEW v TO a AS SELECT n FROM queue",
        "CREATE MATERIALIZED VIEW w TO b AS SELECT n FROM queue GROUP BY n",
        "CREATE MATERIALIZED VIEW x TO c AS SELECT n FROM a",
        "INSERT INTO a VALUES (100)",
        "CREATE MATERIALIZED VIEW y TO d AS SELECT n FROM queue WHERE n < 3",
        "CREATE MATERIALIZED VIEW z TO e AS SELECT n FROM c",
    ]
    queue.send(range(5))
    queue.start(queue.table("queue", queue.source) + tables + ";".join(views)).wait(WAIT_S)
    found = {name: _numbers(queue, capsys, name) for name in "abcde"}
    assert found == {
        "a": [0, 1, 2, 3, 4, 100],
        "b": [0, 1, 2, 3, 4],
        "c": [0, 1, 2, 3, 4, 100],
        "d": [0, 1, 2],
        "e": [0, 1, 2, 3, 4],
    }


def test_detached_tables_are_read_on_where_they_were(
    queue: Queue, capsys: pytest.CaptureFixture[str]
) -> None:
    queue.send(range(3))
    queue.start(_table(queue) + VIEW).wait(WAIT_S)
    queue.start("DETACH TABLE queue;").wait(WAIT_S)
    queue.send(range(3, 6))
    queue.start(_table(queue) + VIEW).wait(WAIT_S)
    assert _numbers(queue, capsys) == [0, 1, 2]
    queue.start("ATTACH TABLE queue;").wait(WAIT_S)
    assert _numbers(queue, capsys) == list(range(6))
    again = "ALTER TABLE kept ADD COLUMN at UInt64; DROP VIEW v;"
    again += "CREATE MATERIALIZED VIEW v TO kept AS SELECT n, _offset AS at FROM queue;"
    queue.send(range(6, 8))
    queue.start(f"-- dialect: clickhouse\n{again}").wait(WAIT_S)
    assert _numbers(queue, capsys) == list(range(8))
