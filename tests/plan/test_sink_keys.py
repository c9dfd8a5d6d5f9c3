"""What a table with a primary key must be told of the rows that go to it, and what it keeps."""

from __future__ import annotations

import pytest

from penstock.model.changelog import ChangelogMode
from penstock.plan.script import plan_script
from penstock.sql.parse import parse

_KAFKA = "'topic' = 't', 'properties.bootstrap.servers' = 'x:1'"
_READ = f"'connector' = 'kafka', {_KAFKA}, 'scan.startup.mode' = 'earliest-offset'"
_UPSERTS = f"'connector' = 'upsert-kafka', {_KAFKA}, 'key.format' = 'json', 'value.format' = 'json'"
_TABLES = f"""
CREATE TABLE events (k INT, x INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH (
  {_READ}, 'format' = 'json');
CREATE TABLE items (k INT, x INT, PRIMARY KEY (k) NOT ENFORCED) WITH ({_UPSERTS});
CREATE TABLE texts (
  k BIGINT, name VARCHAR(8), d DATE, x INT, PRIMARY KEY (k, name) NOT ENFORCED) WITH ({_UPSERTS});
"""
_LEAST = "SELECT 'all', x FROM (SELECT x FROM events ORDER BY x LIMIT 1)"
_FIRST = """SELECT k, x FROM (SELECT {key} AS k, x, ROW_NUMBER() OVER ({by} ORDER BY x) AS n
  FROM events) WHERE n = 1"""
_TOP = """SELECT k, m, n FROM (SELECT k, x + 1 AS m, ROW_NUMBER() OVER (
  PARTITION BY k, x + 1 ORDER BY ts DESC) AS n FROM events) WHERE n <= 3"""
_CAST_LAST = """SELECT k2, n FROM (
  SELECT k, CAST(k AS BIGINT) AS k2, COUNT(*) AS n FROM events GROUP BY k)"""


@pytest.mark.parametrize(
    ("columns", "key", "query", "kept", "told"),
    [
        # Casts: Flink's `supportsInjectiveCast`.
        ("k BIGINT, x INT", "k", "SELECT k, x FROM items", False, False),
        ("k BIGINT, x INT", "k", "SELECT CAST(k AS BIGINT), x FROM items", False, False),
        (
            "k STRING, x INT",
            "k",
            "SELECT CAST(k AS STRING), x FROM (SELECT CAST(k AS BIGINT) AS k, x FROM items)",
            False,
            False,
        ),
        ("k VARCHAR(11), x INT", "k", "SELECT CAST(k AS VARCHAR(11)), x FROM items", False, False),
        ("k VARCHAR(10), x INT", "k", "SELECT CAST(k AS VARCHAR(10)), x FROM items", True, True),
        ("k SMALLINT, x INT", "k", "SELECT CAST(k AS SMALLINT), x FROM items", True, True),
        ("k DOUBLE, x INT", "k", "SELECT CAST(k AS DOUBLE), x FROM items", True, True),
        ("k INT, x INT", "k", "SELECT k + 1, x FROM items", True, True),
        ("a STRING, b BIGINT", "a, b", "SELECT name, k FROM texts", False, False),
        ("a VARCHAR(7), b BIGINT", "a, b", "SELECT name, k FROM texts", True, True),
        ("a CHAR(9), b BIGINT", "a, b", "SELECT CAST(name AS CHAR(9)), k FROM texts", True, True),
        # More than the key: a constant, the key itself, what may change.
        ("a STRING, k INT", "a, k", "SELECT 'eu', k FROM items WHERE x > 1", False, False),
        ("k INT, b BIGINT, x INT", "k, b", "SELECT k, k * 2, x FROM items", False, False),
        ("k INT, x INT", "k, x", "SELECT k, x FROM items", False, True),
        ("k INT, x INT", "k, x", "SELECT k, x + 1 FROM items WHERE x > 1", False, True),
        ("k INT, n BIGINT", "k, n", "SELECT k, COUNT(*) FROM events GROUP BY k", False, True),
        # A part of it, or none of it.
        ("a VARCHAR(8), x INT", "a", "SELECT name, x FROM texts", True, True),
        ("x INT, k INT", "x", "SELECT x, k FROM items", True, True),
        # One row at most.
        ("a STRING, n BIGINT", "a", "SELECT 'all', COUNT(*) FROM events", False, False),
        ("a STRING, n BIGINT", "n", "SELECT 'all', COUNT(*) FROM events", False, True),
        ("k INT, x INT", "k", "SELECT k, x FROM events ORDER BY x LIMIT 1", False, True),
        ("k INT, x INT", "k", "SELECT k, x FROM events ORDER BY x LIMIT 2", True, True),
        ("a STRING, x INT", "a", _LEAST, False, False),
        ("a STRING, x INT", "a", _FIRST.format(by="", key="'all'"), False, False),
        # Partitions that are computed.
        ("k INT, x INT", "k", _FIRST.format(by="PARTITION BY k + 1", key="k + 1"), False, False),
        ("k BIGINT, x INT", "k", _FIRST.format(by="PARTITION BY k + 1", key="k + 1"), False, False),
        ("k INT, x INT", "k", _FIRST.format(by="PARTITION BY k + 1", key="k + 2"), True, True),
        ("k INT, m INT, n BIGINT", "k, m, n", _TOP, False, False),
        ("k INT, m INT, n BIGINT", "k, n", _TOP, True, True),
        # A key whose plain column is left out, and the cast one kept.
        ("k BIGINT, n BIGINT", "k", _CAST_LAST, False, False),
    ],
)
def test_what_a_sink_with_another_key_needs(
    columns: str, key: str, query: str, kept: bool, told: bool
) -> None:
    """By Flink: kept if the sink's key lacks a part of the rows', old rows if it has more."""
    made = (
        f"CREATE TABLE sink ({columns}, PRIMARY KEY ({key}) NOT ENFORCED) WITH ({_UPSERTS});"
        f"INSERT INTO sink {query};"
    )
    [found] = plan_script(parse(_TABLES + made), name="test", settings=()).queries
    assert (bool(found.materialized), found.needs_before) == (kept, told)
    # A filter by more than the key hands the old row on; a sink that keeps rows needs none.
    before = not kept and (told or "WHERE x > 1" in query)
    assert found.mode is (ChangelogMode.RETRACT if before else ChangelogMode.UPSERT)
