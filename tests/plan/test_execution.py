"""How a query runs: chosen by its sources, its steps and the setting."""

from __future__ import annotations

import json

import pytest

from penstock.errors import PlanError
from penstock.plan.engine import require_runnable
from penstock.plan.explain_graph import explain_dot, explain_json, explain_mermaid
from penstock.plan.operators import operators
from penstock.plan.query import Execution, ScriptPlan
from penstock.plan.script import plan_script
from penstock.sql.parse import parse

KAFKA = "'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1'"
TABLES = f"""
CREATE TABLE t (x INT, s STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH (
  {KAFKA}, 'scan.startup.mode' = 'earliest-offset', 'format' = 'json',
  'properties.sasl.jaas.config' = 'password=hunter2');
CREATE TABLE b (x INT, s STRING) WITH (
  {KAFKA}, 'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset',
  'format' = 'json');
CREATE TABLE c (x INT, s STRING, a ARRAY<INT>) WITH (
  {KAFKA}, 'scan.startup.mode' = 'earliest-offset', 'format' = 'canal-json');
CREATE TABLE u (x INT, s STRING, PRIMARY KEY (x) NOT ENFORCED) WITH (
  {KAFKA}, 'scan.startup.mode' = 'earliest-offset', 'format' = 'ogg-json',
  'ogg-json.missing-before' = 'upsert');
CREATE TABLE p (x INT, at AS PROCTIME()) WITH (
  {KAFKA}, 'scan.startup.mode' = 'earliest-offset', 'format' = 'json');
CREATE TABLE shown (x INT) WITH ('connector' = 'blackhole');
"""


def _plan(query: str, **settings: str) -> ScriptPlan:
    script = parse(f"{TABLES} INSERT INTO shown {query};")
    return plan_script(script, name="test", settings=tuple(settings.items()))


TTL = {"table.exec.state.ttl": "1 min"}
CHOICES = {
    "SELECT x FROM t": Execution.MICRO_BATCH,
    "SELECT x FROM b": Execution.BATCH,
    "VALUES (1)": Execution.BATCH,
    "SELECT t.x FROM t JOIN b ON t.x = b.x": Execution.MICRO_BATCH,
    "SELECT t.x FROM t LEFT JOIN b ON t.x = b.x": Execution.MICRO_BATCH,
    "SELECT b.x FROM t RIGHT JOIN b ON t.x = b.x": Execution.CHANGELOG,
    "SELECT t.x FROM t JOIN t AS r ON MAP[t.s, t.x] = MAP[r.s, r.x]": Execution.CHANGELOG,
    "SELECT x FROM t UNION ALL SELECT x FROM b": Execution.MICRO_BATCH,
    "SELECT MAX(x) FROM t GROUP BY s": Execution.CHANGELOG,
    "SELECT x FROM (SELECT x, MAX(s) FROM t GROUP BY x)": Execution.UPDATE,
    "SELECT MAX(x) FROM b GROUP BY s HAVING COUNT(*) > 1 ORDER BY 1": Execution.BATCH,
    "SELECT t.x FROM t WHERE x IN (SELECT x FROM b)": Execution.MICRO_BATCH,
    "SELECT t.x FROM t WHERE x NOT IN (SELECT x FROM b)": Execution.MICRO_BATCH,
    "SELECT x FROM t LIMIT 3": Execution.CHANGELOG,
    "SELECT MAX(x) FROM (SELECT MAX(x) AS x FROM t GROUP BY s)": Execution.CHANGELOG,
    "SELECT x + 1 FROM c WHERE s = 'a'": Execution.MICRO_BATCH,
    "SELECT x FROM c UNION ALL SELECT x FROM t": Execution.MICRO_BATCH,
    "SELECT x FROM c WHERE x > 1 UNION ALL SELECT -x FROM c WHERE x < 1": Execution.CHANGELOG,
    "SELECT e FROM c CROSS JOIN UNNEST(a) AS n (e)": Execution.MICRO_BATCH,
    "SELECT MAX(x) FROM c": Execution.CHANGELOG,
    "SELECT DISTINCT x FROM c": Execution.CHANGELOG,
    "SELECT c.x FROM c JOIN b ON c.x = b.x": Execution.CHANGELOG,
    "SELECT x FROM u": Execution.MICRO_BATCH,
    "SELECT x FROM (SELECT x, UPPER(s) FROM u)": Execution.MICRO_BATCH,
    "SELECT x + 1 FROM u": Execution.CHANGELOG,
    "SELECT x FROM u WHERE s = 'a'": Execution.CHANGELOG,
    "SELECT x FROM u UNION ALL SELECT x FROM t": Execution.CHANGELOG,
}


@pytest.mark.parametrize(("query", "execution"), CHOICES.items(), ids=list(CHOICES))
def test_chosen(query: str, execution: Execution) -> None:
    assert _plan(query).queries[0].execution is execution


@pytest.mark.parametrize(
    ("query", "execution"),
    [
        ("SELECT DISTINCT x FROM t", Execution.CHANGELOG),
        ("SELECT x FROM t UNION SELECT x FROM p", Execution.CHANGELOG),
        ("SELECT t.x FROM t JOIN p ON t.x = p.x", Execution.CHANGELOG),
        ("SELECT t.x FROM t JOIN b ON t.x = b.x", Execution.MICRO_BATCH),
        ("SELECT DISTINCT x FROM b", Execution.BATCH),
    ],
)
def test_what_forgets_by_a_time_to_live(query: str, execution: Execution) -> None:
    (chosen,) = _plan(query, **TTL).queries
    assert chosen.execution is execution
    assert chosen.ttl_ms == (60_000 if execution is Execution.CHANGELOG else 0)
    steps = [step for step in operators(chosen) if step.kind in ("Aggregate", "Join")]
    assert all(step.facts["time to live"] == ("some",) for step in steps)


@pytest.mark.parametrize(
    ("query", "step"),
    [
        ("SELECT x FROM TABLE(SESSION(TABLE p, DESCRIPTOR(at), INTERVAL '1' SECOND))", "Window"),
    ],
)
def test_what_cannot_run_is_refused_at_the_start(query: str, step: str) -> None:
    with pytest.raises(PlanError, match=f"has no {step} for it") as caught:
        require_runnable(_plan(query).queries)
    assert caught.value.code == "NEEDS_CHANGELOG_ENGINE"
    assert caught.value.span is not None


@pytest.mark.parametrize(
    "query",
    [
        "SELECT MAX(x) FROM c",
        "SELECT x FROM u WHERE s > 'a'",
        "SELECT MAX(x) FROM (SELECT MAX(x) AS x FROM t GROUP BY s)",
        "SELECT DISTINCT x FROM (SELECT x FROM u UNION ALL SELECT x FROM c)",
        "SELECT MAX(c.x) FROM c JOIN u ON c.x = u.x",
        "SELECT x FROM u INTERSECT SELECT x FROM t",
        "SELECT c.x FROM c JOIN b ON c.x = b.x",
        "SELECT MAX(x) FROM (SELECT MAX(t.x) AS x FROM t JOIN b ON t.x = b.x GROUP BY t.s)",
        "SELECT x FROM t LIMIT 3",
        "SELECT x FROM t ORDER BY ts",
        "SELECT x FROM t WHERE x > ANY (SELECT x FROM u)",
        "SELECT x FROM u ORDER BY s LIMIT 3 OFFSET 1",
        "SELECT x FROM (SELECT x, SUM(x) OVER (ORDER BY ts) FROM t)",
    ],
)
def test_what_the_engine_runs(query: str) -> None:
    (chosen,) = _plan(query).queries
    assert chosen.execution is Execution.CHANGELOG
    require_runnable([chosen])


def test_batch_mode_takes_bounded_tables_only() -> None:
    batch = {"execution.runtime-mode": "batch"}
    assert _plan("SELECT x FROM b", **batch).queries[0].execution is Execution.BATCH
    with pytest.raises(PlanError) as caught:
        _plan("SELECT x FROM t", **batch)
    assert caught.value.code == "UNBOUNDED_IN_BATCH"
    assert caught.value.span is not None


def test_plans_for_other_programs() -> None:
    plan = _plan("SELECT x FROM (SELECT x, MAX(s) FROM t GROUP BY x)")
    document = json.loads(explain_json(plan))
    (query,) = document["queries"]
    assert (query["execution"], query["sink"]["mode"]) == ("update", "upsert")
    aggregate = query["plan"]["inputs"][0]["inputs"][0]
    assert aggregate["step"] == "Aggregate"
    assert aggregate["state"] == "one entry per group, for ever"
    assert aggregate["inputs"][0]["step"] == "Scan t"
    assert explain_dot(plan).startswith("digraph plan {")
    assert "q0_0_0_0 -->|upsert| q0_0_0" in explain_mermaid(plan)


FIRST = "(SELECT x, ts, ROW_NUMBER() OVER (PARTITION BY x ORDER BY PROCTIME()) AS rn FROM t)"
BOUNDED = (
    f"SELECT d.x FROM (SELECT x, ts FROM {FIRST} WHERE rn = 1) AS d {{}} JOIN t ON d.x = t.x "
    "AND t.ts BETWEEN d.ts AND d.ts + INTERVAL '1' HOUR"
)


@pytest.mark.parametrize(("ttl", "late"), [({}, ("are joined",)), (TTL, ())])
def test_above_a_time_to_live_pairs_go_by_no_watermark(
    ttl: dict[str, str], late: tuple[str, ...]
) -> None:
    (query,) = _plan(BOUNDED.format("INNER"), **ttl).queries
    assert operators(query)[0].facts["late rows"] == late


def test_rows_without_a_partner_need_a_watermark() -> None:
    with pytest.raises(PlanError, match="with an interval join above a step that forgets by it"):
        _plan(BOUNDED.format("LEFT"), **TTL)


def test_what_is_kept_for_a_sink_with_another_key() -> None:
    table = (
        "CREATE TABLE {0} (x INT, s STRING, PRIMARY KEY ({1}) NOT ENFORCED) WITH ('connector' = "
        "'upsert-kafka', 'topic' = '{0}', 'properties.bootstrap.servers' = 'x:1', "
        "'key.format' = 'json', 'value.format' = 'json');"
    )
    text = table.format("a", "x") + table.format("b", "s") + "INSERT INTO b SELECT * FROM a;"
    plan = plan_script(parse(text), name="job", settings=tuple(TTL.items()))
    (query,) = json.loads(explain_json(plan))["queries"]
    assert query["sink"]["key"] == ["s"]
    assert query["sink"]["state"] == "the rows of each key, for 60 s after a change"
    normalize = query["plan"]["inputs"][0]
    assert normalize["state"] == "the last row of each key, for 60 s after a change"


@pytest.mark.parametrize("form", [explain_json, explain_dot, explain_mermaid])
def test_secrets_are_hidden(form: object) -> None:
    shown = form(_plan("SELECT x FROM t"))  # type: ignore[operator]
    assert "hunter2" not in shown
