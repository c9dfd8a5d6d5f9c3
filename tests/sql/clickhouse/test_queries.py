"""Whole queries of ClickHouse on Spark: what the planner makes of aliases, stars and aggregates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from penstock.plan.script import plan_script
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from penstock.spark.sources.opening import Offsets

_ROWS = "(SELECT 1 AS a, 'x' AS b UNION ALL SELECT 2, 'y' UNION ALL SELECT 300, 'x')"

# query → its rows, as ClickHouse gives them
_QUERIES = [
    (f"SELECT * FROM {_ROWS} ORDER BY a", [("1", "x"), ("2", "y"), ("300", "x")]),
    (
        f"SELECT a + 1 AS c, c * 2 AS d FROM {_ROWS} WHERE d > 5 ORDER BY c",
        [("3", "6"), ("301", "602")],
    ),
    (
        f"SELECT b, count(), sum(a) FROM {_ROWS} GROUP BY b ORDER BY b",
        [("x", "2", "301"), ("y", "1", "2")],
    ),
    (
        f"SELECT upper(b) AS b, count() AS n FROM {_ROWS} GROUP BY b HAVING n > 1",
        [("X", "2")],
    ),
    (
        f"SELECT countIf(a > 1), sumIf(a, b = 'z'), avg(a), uniqExact(b) FROM {_ROWS}",
        [("2", "0", "101.0", "2")],
    ),
    (f"SELECT sum(a = 1), max(a) - min(a) FROM {_ROWS}", [("1", "299")]),
    (f"SELECT quantileExact(0.5)(a), any(b) FROM {_ROWS} WHERE a < 3 AND b = 'y'", [("2", "y")]),
    (f"SELECT count() FROM {_ROWS} WHERE 0", [("0",)]),
    (f"SELECT max(a), sum(a), any(b) FROM {_ROWS} WHERE 0", [("0", "0", "")]),
    (f"WITH 300 AS big SELECT b FROM {_ROWS} WHERE a = big", [("x",)]),
    (f"SELECT * EXCEPT (b) REPLACE (a * 2 AS a) FROM {_ROWS} ORDER BY a LIMIT 1", [("2",)]),
    (f"SELECT DISTINCT b FROM {_ROWS} ORDER BY b DESC", [("y",), ("x",)]),
    (f"SELECT a FROM {_ROWS} PREWHERE a > 1 WHERE b = 'x'", [("300",)]),
    (
        "SELECT n, x FROM (SELECT 1 AS n, [10, 20] AS arr) ARRAY JOIN arr AS x ORDER BY x",
        [("1", "10"), ("1", "20")],
    ),
    ("SELECT n, arr + 1 FROM (SELECT 1 AS n, [10] AS arr) ARRAY JOIN arr", [("1", "11")]),
    (
        f"SELECT l.a, r.b FROM {_ROWS} AS l INNER JOIN {_ROWS} AS r ON l.a = r.a WHERE l.a IN (2)",
        [("2", "y")],
    ),
    (f"SELECT a FROM {_ROWS} WHERE a ORDER BY a OFFSET 2", [("300",)]),
    (f"SELECT sum(a::Decimal(9, 2)) / count(), countDistinct(b) FROM {_ROWS}", [("101.00", "2")]),
    (
        f"SELECT median(toDate(a)), quantiles(0.1, 0.9)(toDate(a)) FROM {_ROWS} WHERE a < 3",
        [("1970-01-02", "[1970-01-02, 1970-01-02]")],
    ),
    (
        f"SELECT topK(2)(e) FROM (SELECT b::Enum8('y' = 1, 'x' = 2) AS e FROM {_ROWS} WHERE a < 3)",
        [("[y, x]",)],
    ),
    # An Enum is ordered by its numbers.
    (
        f"SELECT b::Enum8('y' = 1, 'x' = 2) AS e, count() FROM {_ROWS} GROUP BY e ORDER BY e",
        [("y", "1"), ("x", "2")],
    ),
    (f"SELECT min(CAST(b AS Enum8('y' = 1, 'x' = 2))) FROM {_ROWS}", [("y",)]),
    # One random value in a row, wherever it goes.
    (
        "SELECT countIf(a = 'other'), countIf(b = 1), countIf(c = '') FROM (SELECT "
        "transform(rand() % 2, [0, 1], ['a', 'b'], 'other') AS a, "
        "CASE rand() % 2 WHEN 0 THEN 0 WHEN 1 THEN 0 ELSE 1 END AS b, "
        "['a', 'b'][rand() % 2 + 1] AS c FROM numbers(200))",
        [("0", "0", "0")],
    ),
    (
        "SELECT countIf(id != toUUID(text)) FROM (SELECT id, toString(id) AS text "
        "FROM (SELECT generateUUIDv4() AS id FROM numbers(20)))",
        [("0",)],
    ),
    (
        "SELECT sum(n) FROM (SELECT rand() % 5 AS k, count() AS n FROM numbers(9) GROUP BY k)",
        [("9",)],
    ),
]


@pytest.mark.spark
@pytest.mark.parametrize(
    ("text", "rows"), _QUERIES, ids=[text.replace(_ROWS, "rows") for text, _ in _QUERIES]
)
def test_rows(spark: SparkSession, text: str, rows: list[tuple[str, ...]]) -> None:
    from penstock.spark.compile import Compiler
    from penstock.spark.place import Place
    from penstock.spark.secrets import Vault
    from penstock.spark.source import Sources

    (query,) = plan_script(parse(text, "clickhouse"), name="x").queries
    # There is no table among them: no offset is asked for.
    sources = Sources(spark, cast("Offsets", None), place=Place(Path()), batch=True)
    frame = Compiler(sources, (), Vault(spark)).rows(query.input)
    columns = [f"CAST({expr.sql} AS STRING) AS c{i}" for i, (_, expr) in enumerate(query.columns)]
    assert [tuple(row) for row in frame.selectExpr(*columns).collect()] == rows
