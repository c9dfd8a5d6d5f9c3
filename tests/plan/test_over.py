"""OVER over streams: what is kept, and what is refused as Flink does."""

from __future__ import annotations

import json

import pytest

from penstock.errors import PlanError
from penstock.plan.engine import require_runnable
from penstock.plan.explain_graph import explain_json
from penstock.plan.query import Execution, ScriptPlan
from penstock.plan.script import plan_script
from penstock.sql.parse import parse

KAFKA = "'topic' = 't', 'properties.bootstrap.servers' = 'x:1'"
TABLES = (
    "CREATE TABLE t (x INT, s STRING, ts TIMESTAMP(3), p AS PROCTIME(), WATERMARK FOR ts AS ts) "
    f"WITH ('connector' = 'kafka', {KAFKA}, 'scan.startup.mode' = 'earliest-offset', "
    "'format' = 'json'); "
    "CREATE TABLE u (x INT, s STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts, PRIMARY KEY (x) "
    f"NOT ENFORCED) WITH ('connector' = 'upsert-kafka', {KAFKA}, 'key.format' = 'json', "
    "'value.format' = 'json'); "
    "CREATE TABLE b (x INT, ts TIMESTAMP(3)) WITH ('connector' = 'datagen', "
    "'number-of-rows' = '5'); "
    "CREATE TABLE shown (x BIGINT) WITH ('connector' = 'print'); "
    "CREATE TABLE plain (x BIGINT) WITH ('connector' = 'kafka', 'topic' = 'plain', "
    "'properties.bootstrap.servers' = 'x:1', 'format' = 'json');\n"
)


def _plan(query: str, *, sink: str = "plain", **settings: str) -> ScriptPlan:
    text = f"{TABLES}INSERT INTO {sink} SELECT CAST(v AS BIGINT) FROM ({query});"
    return plan_script(parse(text), name="job", settings=tuple(settings.items()))


def _over(plan: ScriptPlan) -> dict[str, object]:
    step = json.loads(explain_json(plan))["queries"][0]["plan"]
    while step["step"] != "Over":
        (step,) = step["inputs"]
    return step  # type: ignore[no-any-return]


WAITING = "rows until the watermark passes them, and "
STATES = {
    "SUM(x) OVER (ORDER BY ts)": f"{WAITING}one entry per partition, for ever",
    "SUM(x) OVER (PARTITION BY s ORDER BY ts ROWS UNBOUNDED PRECEDING)": (
        f"{WAITING}one entry per partition, for ever"
    ),
    "SUM(x) OVER (ORDER BY ts ROWS BETWEEN 3 PRECEDING AND CURRENT ROW)": (
        f"{WAITING}the last 3 rows of each partition, for ever"
    ),
    "SUM(x) OVER (ORDER BY ts RANGE BETWEEN INTERVAL '1' MINUTE PRECEDING AND CURRENT ROW)": (
        "rows until the watermark is 60 s past them"
    ),
    "LAG(x, 2) OVER (ORDER BY p)": "one entry per partition, for ever",
    "COUNT(DISTINCT x) OVER (ORDER BY p ROWS 1 PRECEDING)": (
        "the last row of each partition, for ever"
    ),
    "SUM(x) OVER (ORDER BY p RANGE BETWEEN INTERVAL '5' SECOND PRECEDING AND CURRENT ROW)": (
        "rows for 5 s"
    ),
}


@pytest.mark.parametrize(("function", "state"), STATES.items(), ids=list(STATES))
def test_what_is_kept_for_inserts_only(function: str, state: str) -> None:
    plan = _plan(f"SELECT {function} AS v FROM t")
    assert plan.queries[0].execution is Execution.CHANGELOG
    require_runnable(plan.queries)
    step = _over(plan)
    assert (step["mode"], step["state"]) == ("append", state)


FRAME = "Unsupported use of OVER windows. All aggregates must be computed on the same window."
REFUSED = {
    "SUM(x) OVER (ORDER BY s ROWS 1 PRECEDING)": "is not supported for bounded OVER window.",
    "SUM(x) OVER (ORDER BY s DESC)": "The window can only be ordered in ASCENDING mode.",
    "SUM(x) OVER (ORDER BY s, x)": "The window can only be ordered by a single time column.",
    "SUM(x) OVER (ORDER BY s ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)": "FOLLOWING",
    "LAG(x) OVER (ORDER BY s)": "LAG by a column that is no time attribute is not supported.",
    "NTILE(2) OVER (ORDER BY s)": "NTILE Function is not supported in stream mode.",
    "SUM(x) OVER (ORDER BY ts DESC)": "The window can only be ordered in ASCENDING mode.",
    "SUM(x) OVER (ORDER BY p DESC)": "The window can only be ordered in ASCENDING mode.",
    "SUM(x) OVER (ORDER BY ts, s)": "The window can only be ordered by a single time column.",
    "SUM(x) OVER (PARTITION BY s)": "The window can only be ordered by a single time column.",
    "SUM(x) OVER (ORDER BY ts ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)": "FOLLOWING",
    "SUM(x) OVER (ORDER BY ts ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING)": "FOLLOWING",
    "SUM(x) OVER (ORDER BY ts RANGE BETWEEN 2 PRECEDING AND CURRENT ROW)": "RANGE",
    "LEAD(x) OVER (ORDER BY ts)": "LEAD Function is not supported in stream mode.",
    "NTILE(2) OVER (ORDER BY ts)": "NTILE Function is not supported in stream mode.",
    "CUME_DIST() OVER (ORDER BY ts)": "CUME_DIST Function is not supported in stream mode.",
    "LAG(x, -1) OVER (ORDER BY ts)": "Offset(-1) should be positive.",
    "RANK() OVER (ORDER BY p)": "use ROW_NUMBER",
    "ROW_NUMBER() OVER (ORDER BY ts ROWS 1 PRECEDING)": "ROW/RANGE not allowed with ROW_NUMBER.",
    "SUM(x) OVER (ORDER BY ts) + COUNT(*) OVER (ORDER BY p)": FRAME,
    "SUM(x) OVER (ORDER BY ts) + SUM(x) OVER (ORDER BY ts ROWS 1 PRECEDING)": FRAME,
    "ROW_NUMBER() OVER (ORDER BY ts) + SUM(x) OVER (ORDER BY ts)": FRAME,
}


@pytest.mark.parametrize(("function", "says"), REFUSED.items(), ids=list(REFUSED))
def test_what_no_stream_can_have_is_refused(function: str, says: str) -> None:
    with pytest.raises(PlanError) as caught:
        _plan(f"SELECT {function} AS v FROM t")
    assert caught.value.code == "INVALID_QUERY"
    assert says in str(caught.value)
    assert caught.value.span is not None


@pytest.mark.parametrize(
    ("table", "node"),
    [
        ("u", "Scan u"),
        ("(SELECT ts, x FROM u WHERE s <> 'a')", "Scan u"),
    ],
)
def test_rows_that_change_are_refused(table: str, node: str) -> None:
    with pytest.raises(PlanError) as caught:
        _plan(f"SELECT SUM(x) OVER (ORDER BY ts) AS v FROM {table}")
    assert f"which is produced by node {node}" in str(caught.value)
    assert "OverAggregate doesn't support consuming update" in str(caught.value)


GROUPED = "(SELECT s, MAX(ts) AS ts, COUNT(*) AS x FROM t GROUP BY s)"


@pytest.mark.parametrize(
    ("function", "table", "key"),
    [
        ("SUM(x) OVER (PARTITION BY s ORDER BY x)", "t", ""),
        ("ROW_NUMBER() OVER (ORDER BY s)", "t", ""),
        ("SUM(x) OVER (ORDER BY ts)", GROUPED, "s"),
        ("RANK() OVER (PARTITION BY s ORDER BY ts)", GROUPED, "s"),
        ("COUNT(*) OVER (PARTITION BY x ORDER BY ts)", GROUPED, ""),
        ("DENSE_RANK() OVER (PARTITION BY x ORDER BY s)", "u", "x"),
    ],
)
def test_rows_that_no_time_orders_change(function: str, table: str, key: str) -> None:
    plan = _plan(f"SELECT *, {function} AS v FROM {table}", sink="shown")
    assert plan.queries[0].execution is Execution.CHANGELOG
    require_runnable(plan.queries)
    step = _over(plan)
    assert (step["mode"], step["state"]) == ("retract", "all rows of each partition, for ever")
    assert step.get("key", "") == key


def test_only_a_table_that_takes_changes_takes_them() -> None:
    with pytest.raises(PlanError) as caught:
        _plan("SELECT SUM(x) OVER (ORDER BY s) AS v FROM t")
    assert caught.value.code == "SINK_CANNOT_UPDATE"


TTL = {"table.exec.state.ttl": "1 h"}


def test_a_time_to_live_counts_where_spark_can_keep_it() -> None:
    state = _over(_plan("SELECT SUM(x) OVER (PARTITION BY s ORDER BY p) AS v FROM t", **TTL))
    assert state["state"] == "one entry per partition, for 3600 s after a change"
    frame = "RANGE BETWEEN INTERVAL '5' SECOND PRECEDING AND CURRENT ROW"
    for time in ("ts", "p"):
        _plan(f"SELECT SUM(x) OVER (ORDER BY {time} {frame}) AS v FROM t", **TTL)


REFUSED_TTL = {
    "SELECT SUM(x) OVER (ORDER BY ts) AS v FROM t": "OVER by an event time",
    "SELECT SUM(x) OVER (ORDER BY p ROWS 2 PRECEDING) AS v FROM t": "OVER of a number of rows",
    "SELECT SUM(x) OVER (ORDER BY s) AS v FROM t": "OVER by a column that is no time attribute",
}


@pytest.mark.parametrize(("query", "says"), REFUSED_TTL.items(), ids=list(REFUSED_TTL))
def test_a_time_to_live_is_refused_where_it_cannot(query: str, says: str) -> None:
    with pytest.raises(PlanError) as caught:
        _plan(query, **TTL)
    assert caught.value.code == "UNSUPPORTED_QUERY"
    assert f"'table.exec.state.ttl' with {says}" in str(caught.value)


def test_no_event_time_goes_on_where_the_clock_forgets() -> None:
    frame = "RANGE BETWEEN INTERVAL '5' SECOND PRECEDING AND CURRENT ROW"
    below = f"SELECT ts, SUM(x) OVER (ORDER BY p {frame}) AS x FROM t"
    with pytest.raises(PlanError) as caught:
        _plan(f"SELECT SUM(x) OVER (ORDER BY ts) AS v FROM ({below})")
    assert "above OVER of an interval of processing time" in str(caught.value)


def test_bounded_tables_run_as_a_batch() -> None:
    query = "SELECT SUM(x) OVER (ORDER BY x ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS v FROM b"
    assert _plan(query).queries[0].execution is Execution.BATCH
    with pytest.raises(PlanError) as caught:
        _plan("SELECT STDDEV_POP(DISTINCT x) OVER (ORDER BY x) AS v FROM b")
    assert "of DISTINCT values with OVER over bounded tables" in str(caught.value)
