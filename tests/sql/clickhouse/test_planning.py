"""What ClickHouse's statements do to a script's queries and answers; no JVM, no broker."""

from __future__ import annotations

import pytest

from penstock.connectors.kafka_specs import KafkaSource
from penstock.errors import PenstockError
from penstock.plan.query import Execution, ScriptPlan
from penstock.plan.script import plan_script
from penstock.plan.walk import scans
from penstock.sql.clickhouse.types import type_name
from penstock.sql.parse import parse

_TABLES = """
CREATE TABLE q (id UInt64, level Enum8('a' = 1, 'b' = 2), ts DateTime, al ALIAS id + 1)
  ENGINE = Kafka('h:9092', 't', 'g', 'JSONEachRow');
CREATE TABLE t (id UInt64, level String, day Date DEFAULT toDate(ts), ts DateTime,
  mat String MATERIALIZED toString(id)) ENGINE = MergeTree ORDER BY id;
"""
_VIEW = "CREATE MATERIALIZED VIEW v TO t AS SELECT id, level, ts FROM q;"


def _plan(text: str) -> ScriptPlan:
    return plan_script(parse(_TABLES + text, "clickhouse"), name="x")


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        (_VIEW, ["v"]),
        (_VIEW + "DROP VIEW v", []),
        (_VIEW + "DETACH TABLE q", []),
        (_VIEW + "DETACH TABLE q; ATTACH TABLE q", ["v"]),
        (_VIEW + "DETACH TABLE t", []),
        (_VIEW + "DETACH VIEW v", []),
        (_VIEW + "SYSTEM STOP q", []),
        (_VIEW + "SYSTEM STOP ALL BACKGROUND; SYSTEM START q", ["v"]),
        (_VIEW + "DROP TABLE q", []),
        (_VIEW + "DROP TABLE q; CREATE TABLE q AS t", ["v"]),
        (_VIEW + "RENAME TABLE t TO t2", []),
        (_VIEW + "ALTER TABLE v MODIFY QUERY SELECT id FROM q", ["v"]),
        (_VIEW + _VIEW.replace("VIEW v", "VIEW IF NOT EXISTS v"), ["v"]),
        (_VIEW + "CREATE MATERIALIZED VIEW w TO t AS SELECT id FROM q", ["v", "w"]),
        ("SELECT 1; SELECT count() FROM t", ["select#1", "select#2"]),
        ("INSERT INTO t (id) SELECT 1; INSERT INTO t (id) VALUES (2)", ["t", "t#2"]),
        ("CREATE TABLE a ENGINE = Memory AS SELECT id FROM t", ["a"]),
    ],
)
def test_which_queries_run(text: str, queries: list[str]) -> None:
    assert [query.id for query in _plan(text).queries] == queries


def _columns(text: str) -> dict[str, str]:
    (query,) = _plan(text).queries
    return {name: type_name(expr.type) for name, expr in query.columns}


def test_a_view_goes_by_names_and_fills_the_rest() -> None:
    (query,) = _plan("CREATE MATERIALIZED VIEW v TO t AS SELECT ts, id FROM q").queries
    columns = dict(query.columns)
    assert [*columns] == ["id", "level", "day", "ts", "mat"]
    assert columns["level"].sql == "''"
    assert (
        columns["day"].sql
        == "greatest(DATE'1970-01-01', CAST(CAST(`c0` AS TIMESTAMP_NTZ) AS DATE))"
    )
    assert columns["mat"].sql == "CAST(`c1` AS STRING)"


def test_a_view_sees_each_block_by_itself() -> None:
    text = "CREATE MATERIALIZED VIEW v ENGINE = SummingMergeTree ORDER BY level AS "
    (query,) = _plan(text + "SELECT level, count() AS c FROM q GROUP BY level").queries
    assert query.execution is Execution.BLOCK
    assert "block" in query.reason
    assert [type_name(expr.type) for _, expr in query.columns][1] == "UInt64"


def test_chained_views_and_virtual_columns() -> None:
    text = (
        "CREATE TABLE u (topic String, part UInt64, at Nullable(DateTime64(3)), h Array(String))"
        " ENGINE = Log;"
        "CREATE MATERIALIZED VIEW v TO u AS SELECT _topic AS topic, _partition AS part, "
        "_timestamp_ms AS at, _headers.name AS h FROM q;"
        "CREATE MATERIALIZED VIEW w TO t AS SELECT part AS id FROM u"
    )
    first, second = _plan(text).queries
    assert [scan.table for scan in scans(second.input)] == ["u"]
    assert [type_name(e.type) for _, e in first.columns] == [
        "String",
        "UInt64",
        "Nullable(DateTime64(3))",
        "Array(String)",
    ]


@pytest.mark.parametrize(
    ("query", "columns"),
    [
        ("SELECT * FROM t", {"id": "UInt64", "level": "String", "day": "Date", "ts": "DateTime"}),
        ("SELECT * EXCEPT (day, ts) FROM t", {"id": "UInt64", "level": "String"}),
        (
            "SELECT * EXCEPT (day, ts) REPLACE (id + 1 AS id) FROM t",
            {"id": "UInt64", "level": "String"},
        ),
        ("SELECT COLUMNS('^i') APPLY(max) FROM t", {"max(id)": "UInt64"}),
        ("SELECT mat FROM t", {"mat": "String"}),
        (
            "SELECT count(), id = 1 AS one FROM t GROUP BY one",
            {"count()": "UInt64", "one": "UInt8"},
        ),
        ("SELECT id AS i, i + 1 AS j FROM t WHERE j > 3 AND i", {"i": "UInt64", "j": "UInt64"}),
        ("SELECT toDate(ts) AS ts, count() AS c FROM t GROUP BY ts", {"ts": "Date", "c": "UInt64"}),
        ("WITH 5 AS five SELECT five + id AS x FROM t", {"x": "UInt64"}),
        ("WITH x AS (SELECT id FROM t) SELECT * FROM x", {"id": "UInt64"}),
        ("SELECT id FROM t PREWHERE id > 1 WHERE level = 'a'", {"id": "UInt64"}),
        (
            "SELECT a FROM (SELECT [id] AS arr FROM t) ARRAY JOIN arr AS a",
            {"a": "UInt64"},
        ),
        (
            "SELECT uniq(level) AS u, countIf(id > 1) AS c, quantile(0.9)(id) AS p, "
            "count(DISTINCT id) AS d FROM t",
            {"u": "UInt64", "c": "UInt64", "p": "Float64", "d": "UInt64"},
        ),
        ("SELECT id FROM t UNION ALL SELECT id FROM t", {"id": "UInt64"}),
        ("SELECT id FROM default.t LIMIT 3 SETTINGS max_threads = 1", {"id": "UInt64"}),
        (
            "SELECT a.id FROM t AS a INNER JOIN t AS b ON a.id = b.id",
            {"id": "UInt64"},
        ),
    ],
)
def test_queries(query: str, columns: dict[str, str]) -> None:
    assert list(_columns(query).values()) == list(columns.values())
    if "a.id" not in query:
        assert _columns(query) == columns


def test_answers() -> None:
    plan = _plan("EXISTS TABLE t; EXISTS nope; DESCRIBE t; SHOW CREATE TABLE t; EXPLAIN SELECT 1")
    there, nowhere, described, created, explained = plan.results
    assert (there.rows, nowhere.rows) == ((("1",),), (("0",),))
    assert described.rows[2] == ("day", "Date", "DEFAULT", "toDate(ts)", "")
    # It is no table: it can be copied.
    assert not created.columns
    assert created.rows[0][0].splitlines()[-2:] == ["ENGINE = MergeTree", "ORDER BY id"]
    assert "Query select" in explained.rows[0][0]
    again = parse(created.rows[0][0].replace("TABLE t", "TABLE t2"), "clickhouse")
    plan_script(again, name="what SHOW CREATE TABLE gives can be read")


def test_what_changes_nothing_is_told() -> None:
    plan = _plan("SYSTEM CANCEL q; CREATE TABLE a ON CLUSTER c AS t")
    assert len(plan.notes) == 2


def test_brokers_of_the_command_line_win() -> None:
    from penstock.catalog.catalog import Overrides

    script = parse(_TABLES + _VIEW, "clickhouse")
    plan = plan_script(script, name="x", overrides=Overrides(bootstrap="other:1"))
    (scan,) = scans(plan.queries[0].input)
    assert "other:1" in scan.spec.source.describe()


def test_a_dialect_is_recognised() -> None:
    script = parse(_TABLES)
    assert script.dialect == "clickhouse"


@pytest.mark.parametrize(
    ("query", "read"),
    [
        ("SELECT id FROM q", {"id"}),
        ("SELECT count() AS id FROM q", {"id"}),
        ("SELECT id FROM q WHERE _key != '' AND level = 'a'", {"id", "level", "_key"}),
        ("SELECT al AS id, toDateTime(0) AS ts FROM q", {"id"}),
        ("SELECT length(_headers.name) AS id FROM q", {"_headers.name"}),
        ("SELECT max(_offset) AS id FROM q GROUP BY toDate(ts)", {"_offset", "ts"}),
        ("SELECT id FROM (SELECT id, _topic FROM q ORDER BY _topic LIMIT 1)", {"id", "_topic"}),
    ],
)
def test_only_what_is_named_is_read(query: str, read: set[str]) -> None:
    (planned,) = _plan(f"CREATE MATERIALIZED VIEW v TO t AS {query}").queries
    (scan,) = scans(planned.input)
    assert {name for name, _, _ in scan.spec.columns} == read
    assert isinstance(scan.spec.source, KafkaSource)
    assert scan.spec.source.reading.headers == ("_headers.name" in read)


def test_a_join_reads_all_that_it_renames() -> None:
    text = "INSERT INTO t (id) SELECT a.id FROM t AS a INNER JOIN t AS b ON a.id = b.id"
    (planned,) = _plan(text).queries
    for scan in scans(planned.input):
        assert {name for name, _, _ in scan.spec.columns} == {"id", "level", "day", "ts", "mat"}


@pytest.mark.parametrize(
    "text",
    [
        "SELECT generateUUIDv4() AS id, toString(id) AS text",
        "SELECT rand() AS r FROM t WHERE r > 5",
        "WITH rand() AS r SELECT r + 1 AS a, r AS b",
        "CREATE TABLE d (a UInt8, id UUID DEFAULT generateUUIDv4(), "
        "text String MATERIALIZED toString(id)) ENGINE = MergeTree ORDER BY a; "
        "INSERT INTO d (a) VALUES (1)",
    ],
)
def test_a_random_value_has_one_name_and_no_other_use(text: str) -> None:
    with pytest.raises(PenstockError) as caught:
        _plan(text)
    assert (caught.value.code, caught.value.span is None) == ("UNSUPPORTED_QUERY", False)
    assert "in a subquery" in str(caught.value)
