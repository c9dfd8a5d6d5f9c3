"""Scripts that are edited between two runs: what goes on, and what is refused and why."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from penstock import PenstockError
from penstock.plan.script import plan_script
from penstock.runtime.progress import Progress
from penstock.runtime.query_ids import with_kept_ids
from penstock.runtime.shape import check_shape, keep_shape
from penstock.runtime.state import JobFolder
from penstock.runtime.status import JobStatus, query_status, write_status
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from pathlib import Path

    from penstock.plan.query import ScriptPlan

_KAFKA = "'connector' = 'kafka', 'properties.bootstrap.servers' = 'x:1', 'format' = 'json'"
_UPSERT = (
    "'connector' = 'upsert-kafka', 'properties.bootstrap.servers' = 'x:1', 'key.format' = 'json', "
    "'value.format' = 'json'"
)
TABLES = f"""
CREATE TABLE orders (id INT, k STRING, n INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH (
  {_KAFKA}, 'topic' = 'orders', 'scan.startup.mode' = 'earliest-offset');
CREATE TABLE users (id INT, name STRING, city STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  {_UPSERT}, 'topic' = 'users');
CREATE TABLE counts (k STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH (
  {_UPSERT}, 'topic' = 'counts');
CREATE TABLE copies (k STRING, n BIGINT) WITH ({_KAFKA}, 'topic' = 'copies');
"""
_SHUFFLE = "spark.sql.shuffle.partitions"


class Job:
    """The plans of a job, one after the other, and the checkpoint that Spark would keep."""

    def __init__(self, folder: Path) -> None:
        self.folder = JobFolder.of("job", folder)

    def run(
        self, queries: str, tables: str = TABLES, *, zone: str = "UTC", **settings: str
    ) -> list[str]:
        """As a start does it in a time zone; returns the ids of the queries."""
        given = tuple((key.replace("_", "."), value) for key, value in settings.items())
        plan = plan_script(parse(tables + queries), name="job", settings=given)
        plan = with_kept_ids(plan, self.folder)
        for query in plan.queries:
            check_shape(self.folder, plan, query, ("cluster",), zone=zone)
        for query in plan.queries:
            keep_shape(self.folder, query, ("cluster",), zone=zone)
        self._commit(plan)
        return [query.id for query in plan.queries]

    def _commit(self, plan: ScriptPlan) -> None:
        queries = tuple(
            query_status(Progress(query.id), state="stopped", runs_as="", guarantee="", groups=())
            for query in plan.queries
        )
        moment = "2026-01-02T03:04:05.000+00:00"
        status = JobStatus("job", "stopped", 1, moment, moment, False, None, queries)
        write_status(self.folder.path, status)
        for query in plan.queries:
            offsets = self.folder.query(query.id) / "checkpoint" / "offsets"
            offsets.mkdir(parents=True, exist_ok=True)
            facts = json.dumps({"batchWatermarkMs": 0, "conf": {_SHUFFLE: "4"}})
            (offsets / "0").write_text(f'v1\n{facts}\n{{"orders":{{"0":7}}}}')


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return Job(tmp_path)


GROUPED = "INSERT INTO counts SELECT k, COUNT(*) FROM orders GROUP BY k;"
JOINED = (
    "INSERT INTO counts SELECT u.name, CAST(o.n AS BIGINT) FROM orders AS o "
    "JOIN users AS u ON o.id = u.id;"
)
COUNTED = "INSERT INTO counts SELECT city, COUNT(*) FROM users WHERE id > 5 GROUP BY city;"
FEW = "INSERT INTO counts SELECT k, COUNT(*) FROM orders GROUP BY k HAVING COUNT(*) > 5;"
SHOWN = (
    "CREATE TABLE shown (k STRING, n BIGINT) WITH ('connector' = 'print'); "
    "INSERT INTO shown SELECT k, COUNT(*) FROM orders GROUP BY k;"
)
BEST = (
    "INSERT INTO counts SELECT k, CAST(n AS BIGINT) FROM (SELECT *, ROW_NUMBER() OVER "
    "(PARTITION BY k ORDER BY n DESC) AS place FROM orders) WHERE place = 1;"
)
WINDOWED = (
    "INSERT INTO copies SELECT k, COUNT(*) FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), "
    "INTERVAL '1' MINUTE)) GROUP BY k, window_start, window_end;"
)
# A step with state that asks for no column of its partition.
SESSIONS = (
    "CREATE VIEW o AS SELECT k AS who, ts FROM orders; INSERT INTO copies SELECT 'all', COUNT(*) "
    "FROM TABLE(SESSION(TABLE o PARTITION BY who, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) "
    "GROUP BY window_start, window_end;"
)
LARGE, SMALL = ("size > 5", "size > 6"), ("size > 5", "size > 7")
TOWNS = (
    "CREATE TABLE towns (name STRING, size INT, tags ARRAY<STRING>) WITH ("
    "'connector' = 'filesystem', 'path' = '/towns', 'format' = 'json'); "
    "INSERT INTO counts SELECT u.city, COUNT(*) FROM users AS u "
    "JOIN (SELECT * FROM towns WHERE size > 5) AS t ON u.city = t.name GROUP BY u.city;"
)
ITEMS = (
    "INSERT INTO counts SELECT c, COUNT(*) FROM users CROSS JOIN UNNEST(ARRAY[city]) AS t(c) "
    "GROUP BY c;"
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (GROUPED, f"-- how often\n{GROUPED.replace(' ', chr(10))} /* done */"),
        (GROUPED, GROUPED.replace("SELECT k, COUNT(*)", "SELECT o.k AS kind, COUNT(*) AS many")
         .replace("FROM orders GROUP BY k", "FROM orders AS o GROUP BY o.k")),
        (GROUPED, "INSERT INTO counts SELECT a, COUNT(*) FROM (SELECT k AS a, n FROM orders) "
         "GROUP BY a;"),
        (GROUPED, GROUPED.replace("GROUP BY", "WHERE n > 3 GROUP BY")),
        (GROUPED, GROUPED.replace("COUNT(*) FROM", "COUNT(*) + 1 FROM")),
        (JOINED, JOINED.replace("AS o", "AS b").replace("o.", "b.")),
        (BEST, BEST.replace("place", "number1")),
        (WINDOWED, f"{WINDOWED}INSERT INTO counts SELECT k, COUNT(*) FROM orders GROUP BY k;"),
        (WINDOWED, WINDOWED.replace("TABLE orders, DESCRIPTOR(ts)", "TABLE o, DESCRIPTOR(moment)")
         .replace("INSERT", "CREATE VIEW o AS SELECT k, ts AS moment FROM orders; INSERT")),
        (SESSIONS, SESSIONS.replace("who", "kind")),
        (TOWNS, TOWNS.replace("AS t", "AS town").replace("t.", "town.")),
        (TOWNS.replace("users", "orders").replace(*LARGE).replace("city", "k"),
         TOWNS.replace("users", "orders").replace(*SMALL).replace("city", "k")),
    ],
)  # fmt: skip
def test_what_changes_no_state_goes_on(job: Job, before: str, after: str) -> None:
    first = job.run(before)
    assert job.run(after)[: len(first)] == first


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        (GROUPED, GROUPED.replace("BY k", "BY k, n"),
         "the steps with state changed from `Aggregate by `k`` to `Sink counts by k`, "
         "`Aggregate by `k`, `n``"),
        (GROUPED, GROUPED.replace("COUNT(*)", "CAST(SUM(n) AS BIGINT)"),
         "of the step `Aggregate by `k``, the aggregates changed from count(*) to sum(n INT)"),
        (GROUPED, "INSERT INTO counts SELECT a, COUNT(*) FROM (SELECT UPPER(k) AS a FROM orders) "
         "GROUP BY a;", "the keys changed from k STRING to (upper(k STRING))"),
        (JOINED, JOINED.replace("o.id = u.id", "o.n = u.id"),
         "the conditions changed from (left.id INT = right.id INT) to (left.n INT = right.id INT)"),
        (JOINED, JOINED.replace("JOIN", "LEFT JOIN"), "the kind changed from INNER regular to LE"),
        (JOINED, JOINED.replace("u.name", "u.city"), "from k = right.name STRING to "),
        (COUNTED, COUNTED.replace("> 5", "> 6"),
         "the conditions of rows that go changed from (id INT > 5) to (id INT > 6)"),
        (FEW, FEW.replace("> 5", "> 6"), "of rows that go from its sink changed from (CAST("),
        (SHOWN, SHOWN.replace("COUNT(*)", "COUNT(*) + 1"), "its sink changed from n = (CAST("),
        (BEST, BEST.replace("n DESC", "n ASC"), "the order changed from n INT DESC NULLS LAST"),
        (BEST, BEST.replace("place = 1", "place <= 2"), "the steps with state changed from"),
        (WINDOWED, WINDOWED.replace("'1' M", "'2' M"), "changed from Window TUMBLE size 60 s"),
        (SESSIONS, SESSIONS.replace("k AS who", "id AS who"),
         "from Window SESSION gap 60 s, partition by k STRING on `ts TIMESTAMP(3)` to Window "
         "SESSION gap 60 s, partition by id INT"),
        (ITEMS, ITEMS.replace("CROSS", "LEFT").replace("t(c)", "t(c) ON TRUE"),
         "elements of rows that go changed from array(city STRING) to "),
        (TOWNS, TOWNS.replace(*LARGE), "the joins of rows that go changed from (size INT > 5) to "),
        (TOWNS, TOWNS.replace("JOIN (", "LEFT JOIN ("), "rows that go changed from INNER on"),
        (TOWNS, TOWNS.replace("= t.name", "= t.name AND u.id > t.size"), "joins of rows that go"),
        (TOWNS, TOWNS.replace("SELECT * FROM towns WHERE", "SELECT name FROM towns CROSS JOIN "
         "UNNEST(tags) WHERE"), "the joins of rows that go changed from"),
        (TOWNS, TOWNS.replace("SELECT * FROM towns WHERE size > 5", "SELECT name FROM towns GROUP "
         "BY name HAVING MAX(size) > 5"), "the joins of rows that go changed from"),
        (GROUPED, GROUPED.replace("orders", "users").replace("k,", "city,").replace("BY k", "BY "
         "city"), "the sources changed from orders to users"),
    ],
)  # fmt: skip
def test_what_changes_the_state_is_refused(job: Job, before: str, after: str, change: str) -> None:
    job.run(before)
    with pytest.raises(PenstockError) as caught:
        job.run(after)
    assert caught.value.code == "STATE_CHANGED"
    assert change in str(caught.value)
    assert "penstock reset job --query" in str(caught.value)
    # Nothing was noted: the query as it was goes on.
    job.run(before)


def test_another_type_or_key_of_a_table_is_another_state(job: Job) -> None:
    windowed = WINDOWED.replace("SELECT k", "SELECT CAST(n AS STRING)").replace("BY k", "BY n")
    job.run(windowed)
    with pytest.raises(PenstockError, match="keys changed from n INT to n BIGINT"):
        job.run(windowed, TABLES.replace("n INT", "n BIGINT"))
    job.run(GROUPED)
    with pytest.raises(PenstockError, match="the columns of its sink's key changed from k to k, n"):
        job.run(GROUPED, TABLES.replace("(k) NOT", "(k, n) NOT"))


def test_another_metadata_key_of_a_column_is_another_state(job: Job) -> None:
    tables = TABLES.replace("n INT, ts TIMESTAMP(3),", "{}, ts TIMESTAMP(3){},")
    by_offset = tables.format("n INT METADATA FROM 'offset'", "")
    by_time = tables.format("n INT", " METADATA FROM 'timestamp'")
    job.run(BEST, by_offset)
    for other in ("partition", "leader-epoch"):
        with pytest.raises(PenstockError, match=f"'offset' DESC .* METADATA FROM '{other}'"):
            job.run(BEST, by_offset.replace("offset'", f"{other}'", 1))
    with pytest.raises(PenstockError, match="METADATA FROM 'offset' DESC NULLS LAST to n INT DESC"):
        job.run(BEST, TABLES)
    job.run(WINDOWED, TABLES)
    with pytest.raises(PenstockError, match="ts - 0 s to ts METADATA FROM 'timestamp' - 0 s"):
        job.run(WINDOWED, by_time)


def test_settings_that_the_state_was_made_with(job: Job) -> None:
    job.run(GROUPED)
    job.run(GROUPED, spark_sql_shuffle_partitions="4")
    with pytest.raises(PenstockError, match=f"made with '{_SHUFFLE}' = '4', and the job sets '8'"):
        job.run(GROUPED, spark_sql_shuffle_partitions="8")
    with pytest.raises(PenstockError, match="the engine changed from Spark's own to changelog"):
        job.run(GROUPED, table_exec_state_ttl="1 d")
    copy = "INSERT INTO copies SELECT k, CAST(n AS BIGINT) FROM orders;"
    job.run(copy)
    job.run(copy, spark_sql_shuffle_partitions="8")


def test_the_time_zone_that_the_state_was_made_with(job: Job) -> None:
    job.run(GROUPED)
    with pytest.raises(PenstockError, match="time-zone' = 'UTC', and the job sets 'Asia"):
        job.run(GROUPED, zone="Asia/Tokyo")
    assert job.run(A, zone="UTC") == job.run(A, zone="Asia/Tokyo")
    # A checkpoint from before it was noted goes on, and in the same zone from then on.
    file = job.folder.path / "queries/counts/shape.json"
    shape = json.loads(file.read_text())
    del shape["zone"]
    file.write_text(json.dumps(shape))
    job.run(GROUPED, zone="Asia/Tokyo")
    with pytest.raises(PenstockError, match="'Asia/Tokyo', and the job sets 'UTC'"):
        job.run(GROUPED)


A, B, C = (
    f"INSERT INTO copies SELECT k, CAST(n AS BIGINT) FROM orders WHERE n > {n};" for n in range(3)
)


@pytest.mark.parametrize(
    ("scripts", "ids"),
    [
        ([A, B + A], ["copies#2", "copies"]),
        ([A + B, A + C + B], ["copies", "copies#3", "copies#2"]),
        ([A + B, B + A], ["copies#2", "copies"]),
        ([A + B, B, B.replace("> 1", "> 7")], ["copies#2"]),
        ([A + B, B, A + B], ["copies", "copies#2"]),
        ([A + B, A + C], ["copies", "copies#2"]),
        ([A, B], ["copies"]),
    ],
)
def test_an_insert_that_is_added_or_taken_out(job: Job, scripts: list[str], ids: list[str]) -> None:
    assert [job.run(script) for script in scripts][-1] == ids


def test_what_another_version_has_kept(job: Job) -> None:
    job.run(A)
    left = {"queries/copies/shape.json": {"query": "x"}, "status.json": {"state": "stopped"}}
    for file, content in left.items():
        (job.folder.path / file).write_text(json.dumps(content))
    with pytest.raises(PenstockError, match="it was made by another version of Penstock"):
        job.run(A)


def test_a_layout_of_state_that_an_earlier_version_had(job: Job) -> None:
    job.run(JOINED)
    file = job.folder.path / "queries/counts/shape.json"
    shape = json.loads(file.read_text())
    shape["operators"][0]["facts"]["engine"] = ["changelog"]
    file.write_text(json.dumps(shape))
    with pytest.raises(
        PenstockError, match="the engine changed from changelog to changelog, layout 2"
    ):
        job.run(JOINED)


def test_which_of_two_goes_on_is_not_guessed(job: Job) -> None:
    job.run(A)
    with pytest.raises(PenstockError, match="not clear which of them goes on"):
        job.run(B + C)
    # Where only one of them can have the state, it has it.
    grouped = "INSERT INTO copies SELECT k, COUNT(*) FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR("
    windowed = grouped + "ts), INTERVAL '{}' MINUTE)) {} GROUP BY k, window_start, window_end;"
    one = Job(job.folder.path.parent / "other")
    one.run(windowed.format(1, ""))
    assert one.run(A + windowed.format(1, "WHERE n > 1")) == ["copies#2", "copies"]
