"""`SET 'penstock.latency' = 'real-time'`: what can run so, and why the rest cannot."""

from __future__ import annotations

import pytest

from penstock.errors import PlanError
from penstock.plan.explain import explain
from penstock.plan.script import plan_script
from penstock.sql.parse import parse

KAFKA = "'connector' = 'kafka', 'properties.bootstrap.servers' = 'x:1', 'format' = 'json'"
TABLES = f"""
SET 'penstock.latency' = 'real-time';
CREATE TABLE orders (id INT, words ARRAY<STRING>, ts TIMESTAMP(3), at AS PROCTIME(),
  twice AS id * 2, WATERMARK FOR ts AS ts) WITH ({KAFKA}, 'topic' = 'orders',
  'scan.startup.mode' = 'earliest-offset');
CREATE TABLE ended (id INT) WITH ({KAFKA}, 'topic' = 'orders',
  'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset');
CREATE TABLE out (id INT) WITH ({KAFKA}, 'topic' = 'out');
CREATE TABLE once (id INT) WITH ({KAFKA}, 'topic' = 'out',
  'sink.delivery-guarantee' = 'exactly-once', 'sink.transactional-id-prefix' = 'p');
CREATE TABLE shown (id INT) WITH ('connector' = 'print');
CREATE TABLE made (id INT) WITH ('connector' = 'datagen');
"""


@pytest.mark.parametrize(
    "query",
    [
        "INSERT INTO out SELECT id FROM orders",
        "INSERT INTO out SELECT twice FROM orders WHERE ts > TIMESTAMP '2024-01-01 00:00:00'",
        "INSERT INTO out SELECT id FROM orders CROSS JOIN UNNEST(words) AS u(w) WHERE w = 'x'",
        "INSERT INTO out SELECT id FROM orders WHERE CURRENT_ROW_TIMESTAMP() IS NOT NULL",
    ],
)
def test_row_by_row(query: str) -> None:
    plan = plan_script(parse(f"{TABLES} {query};"), name="t")
    assert "runs as: real-time: rows are handed on one by one" in explain(plan)


REFUSED = {
    "INSERT INTO out SELECT id FROM ended": "its rows are read in blocks",
    "INSERT INTO shown SELECT CAST(COUNT(*) AS INT) FROM orders GROUP BY id": "it keeps state",
    "INSERT INTO out SELECT a.id FROM orders a JOIN orders b ON a.id = b.id": "it keeps state",
    "INSERT INTO out SELECT id FROM orders UNION ALL SELECT twice FROM orders": "it keeps state",
    "INSERT INTO out SELECT id FROM made": "table `made` is not in Kafka",
    "INSERT INTO shown SELECT id FROM orders": "table `shown` is not in Kafka",
    "INSERT INTO once SELECT id FROM orders": "table `once` is written exactly once",
    "INSERT INTO out /*+ OPTIONS('sink.parallelism' = '2') */ SELECT id FROM orders": (
        "table `out` sets 'sink.parallelism'"
    ),
    "INSERT INTO out SELECT id FROM orders /*+ OPTIONS('scan.parallelism' = '2') */": (
        "table `orders` sets 'scan.parallelism'"
    ),
    "INSERT INTO out SELECT id FROM orders WHERE at > TIMESTAMP '2024-01-01 00:00:00'": (
        "it asks for the present time"
    ),
    **{
        f"INSERT INTO out SELECT id FROM orders WHERE {clock} IS NOT NULL": (
            "it asks for the present time"
        )
        for clock in ("CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "LOCALTIME", "UNIX_TIMESTAMP()")
    },
    "SET 'penstock.max-offsets-per-batch' = '9'; INSERT INTO out SELECT id FROM orders": (
        "'penstock.max-offsets-per-batch' is set"
    ),
}


@pytest.mark.parametrize("query", REFUSED)
def test_the_rest_is_refused_with_the_reason(query: str) -> None:
    with pytest.raises(PlanError) as caught:
        plan_script(parse(f"{TABLES} {query};"), name="t")
    assert caught.value.code == "NOT_REAL_TIME"
    assert REFUSED[query] in str(caught.value)
    assert caught.value.span is not None


def test_the_setting_counts_for_the_queries_behind_it() -> None:
    text = f"""{TABLES} INSERT INTO out SELECT id FROM orders;
    SET 'penstock.latency' = 'micro-batch'; INSERT INTO shown SELECT id FROM orders;"""
    plan = plan_script(parse(text), name="t")
    assert [query.execution.value for query in plan.queries] == [
        "real-time",
        "micro-batches, append mode",
    ]
