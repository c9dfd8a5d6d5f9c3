"""Functions of groups: the bits that `GROUPING` has of keys and of windows."""

from __future__ import annotations

import pytest

from penstock.plan.nodes import Project
from penstock.plan.script import plan_script
from penstock.sql.parse import parse

_TABLES = """
CREATE TABLE t (k INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH (
  'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json');
CREATE TABLE s (n BIGINT) WITH ('connector' = 'print');
"""
_WINDOWS = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE))"
_SETS = "GROUPING SETS ((k), ())"


@pytest.mark.parametrize(
    ("function", "keys", "bits"),
    [
        ("GROUPING(window_start)", "k", "0"),
        ("GROUPING(window_end)", _SETS, "0"),
        ("GROUPING(k)", _SETS, "0 + CASE WHEN __set IN (1) THEN 1 ELSE 0 END"),
        ("GROUPING_ID(window_start, k)", _SETS, "0 + CASE WHEN __set IN (1) THEN 1 ELSE 0 END"),
        ("GROUPING_ID(k, window_start)", _SETS, "0 + CASE WHEN __set IN (1) THEN 2 ELSE 0 END"),
    ],
)
def test_a_bound_of_the_window_is_in_every_set(function: str, keys: str, bits: str) -> None:
    query = f"SELECT {function} FROM {_WINDOWS} GROUP BY window_start, window_end, {keys}"
    plan = plan_script(parse(f"{_TABLES} INSERT INTO s {query};"), name="test")
    node = plan.queries[0].input
    assert isinstance(node, Project)
    assert [expr.sql for _, expr in node.columns] == [f"CAST({bits} AS BIGINT)"]
