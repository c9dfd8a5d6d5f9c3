"""Names, scopes and clauses of queries: what a query reads, what is refused and not ignored."""

from __future__ import annotations

import pytest

from penstock.errors import PenstockError
from penstock.plan.nodes import Join, Node, Project
from penstock.plan.script import plan_script
from penstock.plan.walk import inputs
from penstock.sql.parse import parse

TABLES = """
CREATE TABLE t (a INT, b STRING, c DOUBLE, m MAP<STRING, INT>, ts TIMESTAMP(3),
  WATERMARK FOR `ts` AS `ts` - INTERVAL '5' SECOND) WITH (
  'connector'='kafka', 'topic'='t', 'properties.bootstrap.servers'='x:1', 'format'='json',
  'properties.group.id'='g');
CREATE TABLE u (x INT, y INT) WITH (
  'connector'='kafka', 'topic'='u', 'properties.bootstrap.servers'='x:1', 'format'='json',
  'properties.group.id'='g');
CREATE TABLE s (n INT) WITH (
  'connector'='kafka', 'topic'='s', 'properties.bootstrap.servers'='x:1', 'format'='json');
CREATE TABLE s2 (n INT, o INT) WITH (
  'connector'='kafka', 'topic'='s2', 'properties.bootstrap.servers'='x:1', 'format'='json');
"""


def plan(script: str) -> Node:
    return plan_script(parse(TABLES + script), name="test").queries[-1].input


def columns(node: Node) -> list[str]:
    """Which columns of the table the first projection above it reads."""
    while isinstance(node, Project) and isinstance(node.input, Project):
        node = node.input
    assert isinstance(node, Project)
    return [expr.sql for _, expr in node.columns]


def test_column_lists_rename_in_every_place() -> None:
    for query in (
        "WITH q(y, x) AS (SELECT x, y FROM u) SELECT x, y FROM q",
        "SELECT x, y FROM (SELECT x, y FROM u) AS q(y, x)",
        "SELECT x, y FROM u AS q(y, x)",
    ):
        outer = plan(f"INSERT INTO s2 {query}")
        assert isinstance(outer, Project)
        # The first column of the query is the second one of what it reads.
        assert [expr.sql for _, expr in outer.columns] == ["`c1`", "`c0`"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("a = ANY (SELECT x FROM u)", "a IN (SELECT x FROM u)"),
        ("a = SOME (SELECT x FROM u)", "a IN (SELECT x FROM u)"),
        ("a <> ALL (SELECT x FROM u)", "a NOT IN (SELECT x FROM u)"),
        ("NOT (a = ANY (SELECT x FROM u))", "a NOT IN (SELECT x FROM u)"),
    ],
)
def test_any_and_all_of_equal_values_are_in(written: str, meant: str) -> None:
    sink = "CREATE TABLE shown (a INT) WITH ('connector'='print'); INSERT INTO shown "
    joins = [_joined(plan(f"{sink} SELECT a FROM t WHERE {term}")) for term in (written, meant)]
    assert [(one.kind, one.conditions) for one in joins] == [
        (joins[1].kind, joins[1].conditions)
    ] * 2


def _joined(node: Node) -> Join:
    while not isinstance(node, Join):
        (node,) = inputs(node)
    return node


def test_a_with_query_sees_what_stood_before_it() -> None:
    query = """WITH x AS (SELECT a FROM t), y AS (SELECT a FROM x)
    SELECT * FROM (WITH x AS (SELECT x AS a FROM u) SELECT a FROM y) z"""
    assert columns(plan(f"INSERT INTO s {query}")) == ["`a`"]


REFUSED = {
    "INSERT INTO s SELECT a FROM t FOR UPDATE": "UNSUPPORTED_CLAUSE",
    "INSERT INTO s SELECT a FROM t SORT BY a": "UNSUPPORTED_CLAUSE",
    "INSERT INTO s SELECT a FROM t UNION ALL BY NAME SELECT x AS a FROM u": "UNSUPPORTED_CLAUSE",
    "INSERT INTO s2 SELECT * EXCEPT (y) FROM u": "UNSUPPORTED_CLAUSE",
    "INSERT INTO s SELECT a FROM t ON CONFLICT DO NOTHING": "SYNTAX_ERROR",
    "INSERT INTO s PARTITION (n = 1) SELECT a FROM t": "UNKNOWN_COLUMN",
    "INSERT INTO s SELECT a FROM t /* c */ /*+ OPTIONS('a'='b') */": "UNKNOWN_OPTION",
    "CREATE MATERIALIZED VIEW v AS SELECT a FROM t": "UNSUPPORTED_STATEMENT",
    "INSERT INTO s2 (n, n) SELECT x, y FROM u": "INVALID_QUERY",
    "CREATE VIEW v AS SELECT nosuch FROM t": "UNKNOWN_COLUMN",
    "CREATE VIEW v AS SELECT a FROM nowhere": "UNKNOWN_TABLE",
    "CREATE TABLE z (a INT, b AS nosuch + 1) WITH ('connector'='kafka', 'topic'='z', "
    "'properties.bootstrap.servers'='x:1', 'format'='json')": "UNKNOWN_COLUMN",
    "CREATE TABLE z (`__value` INT) WITH ('connector'='kafka')": "RESERVED_NAME",
    "CREATE TABLE z (a MAP<STRING>) WITH ('connector'='kafka')": "UNSUPPORTED_TYPE",
    "CREATE TABLE z (a VARCHAR(abc)) WITH ('connector'='kafka')": "UNSUPPORTED_TYPE",
    "CREATE TABLE z (a DECIMAL(50, 2)) WITH ('connector'='kafka')": "UNSUPPORTED_TYPE",
    "CREATE TABLE z (a MAP<INT, INT>) WITH ('connector'='kafka', 'topic'='z', "
    "'properties.bootstrap.servers'='x:1', 'format'='json')": "UNSUPPORTED_TYPE",
    "CREATE TABLE z (a MAP<STRING, INT>) WITH ('connector'='kafka', 'topic'='z', "
    "'properties.bootstrap.servers'='x:1', 'format'='csv')": "UNSUPPORTED_TYPE",
    "CREATE TABLE z (a INT) WITH ('connector'='kafka', 'topic'='', "
    "'properties.bootstrap.servers'='x:1', 'format'='csv')": "CONFLICTING_OPTIONS",
    "INSERT INTO s SELECT m['a', 'b'] FROM t": "UNSUPPORTED_EXPRESSION",
    "INSERT INTO s SELECT a FROM t WHERE m < m": "UNSUPPORTED_EXPRESSION",
    "CREATE TABLE z (a INT) WIHT ('connector'='kafka')": "SYNTAX_ERROR",
    "INSERT INTO s SELECT CAST(COUNT(*) AS INT) AS n FROM t": "SINK_CANNOT_UPDATE",
    "INSERT INTO s SELECT a FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts)))": "WRONG_ARGUMENTS",
    "INSERT INTO s SELECT a FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(), INTERVAL '1' DAY))": (
        "WRONG_ARGUMENTS"
    ),
    "INSERT INTO s SELECT 1 FROM t GROUP BY TUMBLE(ts)": "WRONG_ARGUMENTS",
    "INSERT INTO s SELECT 1 FROM t GROUP BY TUMBLE(ts, INTERVAL '1' DAY, INTERVAL '1' DAY)": (
        "WRONG_ARGUMENTS"
    ),
    "INSERT INTO s SELECT 1 FROM t GROUP BY TUMBLE(ts, INTERVAL '1' DAY), "
    "TUMBLE(ts, INTERVAL '1' HOUR)": "UNSUPPORTED_QUERY",
    "INSERT INTO s SELECT MINUTE(TUMBLE_START(ts, INTERVAL '1' HOUR)) FROM t "
    "GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE)": "INVALID_QUERY",
    "INSERT INTO s SELECT 1 FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, "
    "INTERVAL '2' MINUTE)) GROUP BY window_start, window_end": "INVALID_QUERY",
    "SET 'table.local-time-zone' = 'Foo/Bar'": "INVALID_SETTING",
    "SET 'penstock.state.dir' = 's3a://bucket/state'": "INVALID_SETTING",
    "SET 'table.local-time-zone'='UTC'; INSERT INTO s SELECT a FROM t; "
    "SET 'table.local-time-zone'='Asia/Shanghai'; INSERT INTO s SELECT a FROM t": (
        "INVALID_SETTING"
    ),
}


@pytest.mark.parametrize(("script", "code"), REFUSED.items())
def test_refused_instead_of_ignored(script: str, code: str) -> None:
    with pytest.raises(PenstockError) as caught:
        plan(script)
    assert caught.value.code == code, str(caught.value)
