"""Queries over bounded rows, run on Spark: `bounded.jsonl` has each with the rows SQL gives."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from penstock.plan.script import plan_script
from penstock.plan.walk import uses_arrival_order
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from penstock.plan.nodes import Node

pytestmark = pytest.mark.spark

QUERIES = [
    json.loads(line)
    for line in Path(__file__).with_name("bounded.jsonl").read_text(encoding="utf-8").splitlines()
]
TABLES = """
CREATE VIEW o AS SELECT * FROM (VALUES
  (1, 'a', 10, ARRAY['x', 'y'], TIMESTAMP '2024-01-01 00:00:01'),
  (2, 'a', 20, ARRAY['z'], TIMESTAMP '2024-01-01 00:00:30'),
  (3, 'b', 5, CAST(NULL AS ARRAY<STRING>), TIMESTAMP '2024-01-01 00:01:10'),
  (4, CAST(NULL AS STRING), 7, ARRAY['x'], TIMESTAMP '2024-01-01 00:02:10')
) AS t(id, k, amt, tags, ts);
CREATE VIEW p AS SELECT * FROM (VALUES
  ('a', 'Ann'), ('c', 'Cy'), (CAST(NULL AS STRING), 'Nil')
) AS t(k, name);
CREATE TABLE sink (x STRING) WITH ('connector' = 'blackhole');
"""


def _planned(sql: str) -> Node:
    """The plan of a query by itself."""
    script = f"{TABLES} INSERT INTO sink SELECT '' FROM ({sql}) AS q;"
    node: Any = plan_script(parse(script), name="query").queries[0].input
    return node.input


@pytest.mark.parametrize("case", QUERIES, ids=lambda case: case["sql"])
def test_gives_the_rows_of_sql(case: dict[str, Any], spark: SparkSession) -> None:
    from pyspark.sql import functions as F

    from penstock.spark.compile import Compiler
    from penstock.spark.place import Place
    from penstock.spark.secrets import Vault
    from penstock.spark.session import prepare
    from penstock.spark.source import Sources

    node = _planned(case["sql"])
    sources = Sources(prepare(spark, {}), None, place=Place(Path()), batch=True)  # type: ignore[arg-type]
    frame = Compiler(sources, (), Vault(spark), ordered=uses_arrival_order(node)).rows(node)
    columns = [F.expr(f.sql).alias(f"c{i}") for i, f in enumerate(node.fields) if not f.hidden]
    found = [tuple(row) for row in frame.select(*columns).collect()]
    expected = [tuple(row) for row in case["rows"]]
    if case.get("ordered"):
        assert found == expected
    else:
        assert Counter(found) == Counter(expected)
