"""Queries that are wrong, or that no stage runs: each with its code, its place and its facts."""

from __future__ import annotations

import pytest

from penstock.errors import PenstockError
from penstock.plan.script import plan_script
from penstock.sql.parse import parse

KAFKA = (
    "'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1', "
    "'scan.startup.mode' = 'earliest-offset', 'format' = 'json'"
)
UPSERTS = (
    "'connector' = 'upsert-kafka', 'topic' = 'v', 'properties.bootstrap.servers' = 'x:1', "
    "'key.format' = 'json', 'value.format' = 'json'"
)
TABLES = (
    "CREATE TABLE t (x INT, s STRING, xs ARRAY<INT>, ts TIMESTAMP(3), p AS PROCTIME(), "
    f"WATERMARK FOR ts AS ts) WITH ({KAFKA}); "
    f"CREATE TABLE u (x INT, y INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ({KAFKA}); "
    "CREATE TABLE versions (x INT, y INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts, "
    f"PRIMARY KEY (x) NOT ENFORCED) WITH ({UPSERTS}); "
    f"CREATE TABLE latest (x INT, PRIMARY KEY (x) NOT ENFORCED) WITH ({UPSERTS}); "
    "CREATE TABLE instants (x INT, u BIGINT, ts AS TO_TIMESTAMP_LTZ(u, 3), WATERMARK FOR ts AS ts, "
    f"PRIMARY KEY (x) NOT ENFORCED) WITH ({UPSERTS}); "
    "CREATE TABLE ended (x INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts, PRIMARY KEY (x) NOT "
    f"ENFORCED) WITH ({UPSERTS}, 'scan.bounded.mode' = 'latest-offset'); "
    "CREATE VIEW dear AS SELECT * FROM versions WHERE y > 1; "
    "CREATE VIEW best AS SELECT x, ts FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY x "
    "ORDER BY y) AS n FROM u) WHERE n = 1; "
    "CREATE VIEW windowed AS SELECT window_start, ts FROM "
    "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)); "
    "CREATE TABLE out_ (x INT) WITH ('connector' = 'print');\n"
)

MISTAKES = [
    (
        "SELECT x FROM t WHERE x > (SELECT MAX(y) FROM u WHERE u.x < t.x)",
        "UNSUPPORTED_QUERY",
        "by eq",
    ),
    (
        "SELECT x FROM t WHERE x > (SELECT y FROM u WHERE u.x = t.x LIMIT 1)",
        "UNSUPPORTED_QUERY",
        "lim",
    ),
    ("SELECT x FROM t WHERE x > (SELECT y + MAX(x) FROM u WHERE u.x = t.x)", "NOT_GROUPED", "y"),
    ("SELECT x FROM t WHERE x > (SELECT y FROM u WHERE u.x = t.z)", "UNKNOWN_COLUMN", "t.z"),
    (
        "SELECT x FROM t WHERE s > (SELECT JSON_ARRAYAGG(y) FROM u WHERE u.x = t.x)",
        "UNSUPPORTED_QUERY",
        "JSON_ARRAYAGG in a query",
    ),
    (
        "SELECT x FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.x = t.x GROUP BY y HAVING y > 1)",
        "UNSUPPORTED_QUERY",
        "EXISTS that groups",
    ),
    ("SELECT x FROM t WHERE x > (SELECT y FROM u WHERE u.x = z)", "UNKNOWN_COLUMN", "z"),
    (
        "SELECT x FROM t MATCH_RECOGNIZE (ORDER BY ts PATTERN (A)) AS m",
        "UNSUPPORTED_QUERY",
        "MATCH",
    ),
    ("SELECT x FROM t QUALIFY x > 1", "UNSUPPORTED_QUERY", "QUALIFY"),
    ("SELECT x FROM t, LATERAL TABLE(f(x)) AS v(a)", "UNSUPPORTED_FUNCTION", "F as a table"),
    ("SELECT x FROM TABLE(f(x))", "UNSUPPORTED_FUNCTION", "F as a table"),
    ("SELECT x FROM t ORDER BY x", "INVALID_QUERY", "Sort on a non-time-attribute"),
    ("SELECT x FROM t ORDER BY ts DESC", "INVALID_QUERY", "Sort on a non-time-attribute"),
    ("SELECT x FROM t ORDER BY 7 LIMIT 1", "INVALID_QUERY", "ORDER BY 7"),
    ("SELECT x FROM t LIMIT x", "INVALID_QUERY", "whole number"),
    ("SELECT SUM(x) OVER (ORDER BY x DESC) FROM t", "INVALID_QUERY", "ASCENDING mode"),
    (
        "SELECT x FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY s DESC) AS n FROM t) WHERE n > 1",
        "INVALID_QUERY",
        "Add `n <= N`",
    ),
    (
        "SELECT x FROM (SELECT *, RANK() OVER (ORDER BY y DESC) AS n FROM versions) WHERE n <= x",
        "INVALID_QUERY",
        "Rank end is not specified",
    ),
    (
        "SELECT x FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY x ORDER BY s DESC) AS n FROM t) "
        "WHERE n = x",
        "INVALID_QUERY",
        "Rank end is not specified",
    ),
    (
        "SELECT window_start FROM TABLE(TUMBLE(TABLE windowed, DESCRIPTOR(ts), INTERVAL '1' DAY))",
        "INVALID_QUERY",
        "`SELECT window_start AS …`",
    ),
    ("SELECT SUM(x) OVER w FROM t", "INVALID_QUERY", "no WINDOW `w`"),
    ("SELECT CAST(ROW_NUMBER() OVER (PARTITION BY s) AS INT) FROM t", "INVALID_QUERY", "ORDER BY"),
    ("SELECT UPPER(s) OVER (ORDER BY ts) FROM t", "UNSUPPORTED_QUERY", "UPPER with OVER"),
    (
        "SELECT CAST(COUNT(*) OVER (ORDER BY ts) + COUNT(*) OVER (PARTITION BY s ORDER BY ts) "
        "AS INT) FROM t",
        "INVALID_QUERY",
        "same window",
    ),
    ("SELECT t.x FROM t JOIN u ON t.x = u.z", "UNKNOWN_COLUMN", "u.z"),
    ("SELECT x FROM t JOIN u ON t.x = u.x", "AMBIGUOUS_COLUMN", "`t.x`, `u.x`"),
    ("SELECT t.x FROM t LEFT JOIN u", "INVALID_QUERY", "needs a condition"),
    ("SELECT t.x FROM t JOIN u USING (s)", "UNKNOWN_COLUMN", "s"),
    ("SELECT t.x FROM t LEFT SEMI JOIN u ON t.x = u.x", "UNSUPPORTED_QUERY", "EXISTS"),
    ("SELECT t.x FROM t JOIN u ON t.x + u.x", "UNSUPPORTED_EXPRESSION", "BOOLEAN"),
    (
        "SELECT t.x FROM t JOIN u FOR SYSTEM_TIME AS OF t.ts AS v ON t.x = v.x",
        "INVALID_QUERY",
        "requires primary key in versioned table",
    ),
    (
        "SELECT t.x FROM t JOIN u FOR SYSTEM_TIME AS OF t.p AS v ON t.x = v.x",
        "INVALID_QUERY",
        "Processing-time temporal join is not supported yet",
    ),
    (
        "SELECT t.x FROM t JOIN u FOR SYSTEM_TIME AS OF t.s AS v ON t.x = v.x",
        "INVALID_QUERY",
        "left table's time attribute",
    ),
    (
        "SELECT t.x FROM t JOIN latest FOR SYSTEM_TIME AS OF t.ts AS v ON t.x = v.x",
        "INVALID_QUERY",
        "requires both primary key and row time attribute in versioned table, but no row time",
    ),
    (
        "SELECT t.x FROM t JOIN instants FOR SYSTEM_TIME AS OF t.ts AS v ON t.x = v.x",
        "INVALID_QUERY",
        "requires same rowtime type in left table and versioned table, but the rowtime types are "
        "TIMESTAMP(3) and TIMESTAMP_LTZ(3).",
    ),
    (
        "SELECT t.x FROM t JOIN versions FOR SYSTEM_TIME AS OF t.ts AS v ON t.x = v.y",
        "INVALID_QUERY",
        "Temporal table's primary key [x] must be included in the equivalence condition of "
        "temporal join, but current temporal join condition is [x=y].",
    ),
    (
        "SELECT t.x FROM t JOIN versions FOR SYSTEM_TIME AS OF t.ts AS v ON v.x = 1",
        "INVALID_QUERY",
        "current temporal join condition is [].",
    ),
    (
        "SELECT t.x FROM t RIGHT JOIN versions FOR SYSTEM_TIME AS OF t.ts AS v ON t.x = v.x",
        "INVALID_QUERY",
        "only support INNER JOIN and LEFT JOIN, but was RIGHT JOIN.",
    ),
    (
        "SELECT t.x FROM t JOIN dear FOR SYSTEM_TIME AS OF t.ts AS v ON t.x = v.x",
        "INVALID_QUERY",
        "Filter is not allowed for right changelog input",
    ),
    (
        "SELECT t.x FROM t JOIN best FOR SYSTEM_TIME AS OF t.ts AS v ON t.x = v.x",
        "UNSUPPORTED_QUERY",
        "deduplicated by their time",
    ),
    (
        "SELECT t.x FROM t JOIN ended FOR SYSTEM_TIME AS OF t.ts AS v ON t.x = v.x",
        "UNSUPPORTED_QUERY",
        "one side bounded",
    ),
    (
        "SELECT t.x FROM t JOIN versions FOR SYSTEM_TIME AS OF t.ts + INTERVAL '1' SECOND AS v "
        "ON t.x = v.x",
        "INVALID_QUERY",
        "left table's time attribute",
    ),
    ("SELECT x FROM t WHERE x IN (SELECT x, y FROM u)", "INVALID_QUERY", "1 values"),
    ("SELECT x FROM t WHERE x IN (SELECT ts FROM u)", "UNSUPPORTED_EXPRESSION", "compared"),
    ("SELECT x FROM t WHERE x = 1 OR x IN (SELECT x, y FROM u)", "INVALID_QUERY", "1 values"),
    ("SELECT x FROM t WHERE x = 1 OR x IN (SELECT ts FROM u)", "UNSUPPORTED_EXPRESSION", "compar"),
    (
        "SELECT x FROM t WHERE x = 1 OR EXISTS (SELECT 1 FROM u WHERE u.x < t.x)",
        "UNSUPPORTED_QUERY",
        "by eq",
    ),
    ("SELECT (x, x) IN (SELECT x, y FROM u) FROM t", "UNSUPPORTED_QUERY", "several values"),
    (
        "SELECT x FROM t WHERE x = 1 OR EXISTS (SELECT 1 FROM u WHERE u.x = t.x GROUP BY y)",
        "UNSUPPORTED_QUERY",
        "groups",
    ),
    ("SELECT x FROM t WHERE x > ANY (SELECT x, y FROM u)", "INVALID_QUERY", "1 values with a"),
    (
        "SELECT t.x FROM t, LATERAL (SELECT COUNT(*) FROM u WHERE u.x = t.x) AS v(a, b)",
        "INVALID_QUERY",
        "`v` names 2 columns, its query has 1.",
    ),
    (
        "SELECT t.x FROM t, LATERAL (SELECT y FROM u WHERE u.x = t.x) AS v(a, b)",
        "INVALID_QUERY",
        "`v` names 2 columns, its query has 1.",
    ),
    (
        "SELECT x FROM TABLE("
        "SESSION(TABLE t PARTITION BY x, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) ORDER BY ts",
        "INVALID_QUERY",
        "Sort on a non-time-attribute field",
    ),
    (
        "SELECT t.x FROM t, LATERAL (SELECT COUNT(*) AS n FROM u WHERE t.x > 1) AS v",
        "UNSUPPORTED_QUERY",
        "LATERAL with an aggregate, by other than an equality",
    ),
    (
        "SELECT t.x FROM t, LATERAL (SELECT MAX(y) AS y FROM u WHERE u.x = t.x HAVING TRUE) AS v",
        "UNSUPPORTED_QUERY",
        "HAVING without GROUP BY",
    ),
    ("SELECT t.x FROM t, LATERAL (SELECT * FROM u WHERE u.x = t.x) v", "UNSUPPORTED_QUERY", "*"),
    ("SELECT x FROM t WHERE x = (SELECT x, y FROM u)", "INVALID_QUERY", "one column"),
    ("SELECT x FROM t WHERE x = (SELECT nope FROM u)", "UNKNOWN_COLUMN", "nope"),
    ("SELECT y FROM t CROSS JOIN UNNEST(x) AS v(y)", "INVALID_QUERY", "a map or a multiset"),
    ("SELECT y FROM t CROSS JOIN UNNEST(xs) AS v(y, z)", "INVALID_QUERY", "1 columns"),
    ("SELECT y FROM t RIGHT JOIN UNNEST(xs) AS v(y) ON TRUE", "UNSUPPORTED_QUERY", "CROSS JOIN"),
    ("SELECT x FROM t GROUP BY s", "NOT_GROUPED", "x"),
    ("SELECT * FROM t GROUP BY x", "NOT_GROUPED", "*"),
    ("SELECT GROUPING(s) FROM t GROUP BY x", "NOT_GROUPED", "s"),
    ("SELECT GROUPING(ts) FROM t GROUP BY x", "NOT_GROUPED", "ts"),
    ("SELECT GROUPING(x) FROM t", "UNSUPPORTED_EXPRESSION", "beside a GROUP BY"),
    ("SELECT GROUP_ID() FROM t", "UNSUPPORTED_EXPRESSION", "beside a GROUP BY"),
    ("SELECT GROUP_ID(x) FROM t GROUP BY x", "UNSUPPORTED_EXPRESSION", "takes no argument"),
    ("SELECT GROUPING() FROM t GROUP BY x", "UNSUPPORTED_EXPRESSION", "GROUPING(key, …)"),
    ("SELECT x FROM t GROUP BY x HAVING s = 'a'", "NOT_GROUPED", "s"),
    ("SELECT x FROM t WHERE SUM(x) > 1", "UNSUPPORTED_EXPRESSION", "HAVING"),
    ("SELECT x FROM t HAVING x > 1", "UNSUPPORTED_QUERY", "WHERE"),
    ("SELECT SUM(SUM(x)) FROM t", "UNSUPPORTED_EXPRESSION", "aggregate"),
    ("SELECT x FROM t UNION ALL SELECT x, y FROM u", "INVALID_QUERY", "1 and 2 columns"),
    ("SELECT x FROM t INTERSECT SELECT ts FROM u", "INVALID_QUERY", "INTERSECT cannot join"),
    ("VALUES (1), (1, 2)", "INVALID_QUERY", "different numbers"),
    ("VALUES (1), ('a')", "INVALID_QUERY", "mixes"),
    (
        "SELECT x FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(x), INTERVAL '1' HOUR))",
        "INVALID_QUERY",
        "time attribute",
    ),
    (
        "SELECT x FROM TABLE(TUMBLE(TABLE t PARTITION BY x, DESCRIPTOR(ts), INTERVAL '1' HOUR))",
        "INVALID_QUERY",
        "belongs to SESSION",
    ),
    (
        "SELECT x FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '3' SECOND, "
        "INTERVAL '10' SECOND))",
        "INVALID_QUERY",
        "integral multiple of step",
    ),
    ("SELECT x FROM TABLE(SESSION(TABLE t, DESCRIPTOR(ts)))", "WRONG_ARGUMENTS", "gap"),
    ("SELECT CAST(COUNT(*) AS INT) FROM t GROUP BY SESSION(ts)", "WRONG_ARGUMENTS", "gap"),
    ("SELECT DISTINCT ON (x) x FROM t", "UNSUPPORTED_QUERY", "DISTINCT ON"),
]


@pytest.mark.parametrize(("query", "code", "says"), MISTAKES, ids=[m[0] for m in MISTAKES])
def test_refused_with_its_place(query: str, code: str, says: str) -> None:
    with pytest.raises(PenstockError) as caught:
        plan_script(parse(f"{TABLES}INSERT INTO out_ {query};"), name="test")
    assert (caught.value.code, caught.value.also) == (code, ()), str(caught.value)
    assert says in str(caught.value)
    assert caught.value.span is not None
    assert caught.value.span.line == 2
