"""Where mistakes are told: at the clause that is wrong, not at the table around it."""

from __future__ import annotations

import pytest

from penstock.errors import PenstockError
from penstock.plan.script import plan_script
from penstock.plan.settings import no_effect
from penstock.sql.parse import parse

KAFKA = (
    "'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1', "
    "'scan.startup.mode' = 'earliest-offset', 'format' = 'json'"
)
TABLES = (
    "CREATE TABLE t (x INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH "
    f"({KAFKA});\nCREATE TABLE c (x INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH "
    f"({KAFKA.replace('json', 'debezium-json')});\n"
)
INTO = f"CREATE TABLE o (x INT) WITH ({KAFKA});\nINSERT INTO o "
MISTAKES = {
    f"CREATE TABLE k (x INT, PRIMARY KEY (y) NOT ENFORCED) WITH ({KAFKA})": "PRIMARY KEY (y)",
    f"CREATE TABLE k (x INT, PRIMARY KEY (x, x) NOT ENFORCED) WITH ({KAFKA})": "PRIMARY KEY (x, x)",
    f"CREATE TABLE k (x INT, y AS x, PRIMARY KEY (y) NOT ENFORCED) WITH ({KAFKA})": "PRIMARY KEY",
    f"CREATE TABLE k (x INT, PRIMARY KEY (x) NOT ENFORCED) WITH ({KAFKA})": "PRIMARY KEY (x)",
    f"CREATE TABLE k (x INT PRIMARY KEY NOT ENFORCED) WITH ({KAFKA})": "PRIMARY KEY",
    f"{INTO}SELECT SUM(x) OVER (ORDER BY x DESC) FROM t": "SUM(x) OVER (ORDER BY x",
    f"{INTO}SELECT SUM(x) OVER (ORDER BY ts) FROM c": "SUM(x) OVER (ORDER BY ts",
    f"{INTO}SELECT x FROM t ORDER BY x": "x",
    f"{INTO}SELECT x FROM c ORDER BY ts": "ts",
}


@pytest.mark.parametrize(("script", "underlined"), MISTAKES.items(), ids=list(MISTAKES.values()))
def test_the_clause_is_underlined(script: str, underlined: str) -> None:
    text = TABLES + script + ";"
    with pytest.raises(PenstockError) as caught:
        plan_script(parse(text), name="job")
    span = caught.value.span
    assert span is not None
    line = text.splitlines()[span.line - 1]
    assert line[span.column - 1 :][: span.length].startswith(underlined), str(caught.value)


def test_a_step_is_named_without_the_settings_of_its_table() -> None:
    with pytest.raises(PenstockError) as caught:
        plan_script(parse(f"{TABLES}{INTO}SELECT x FROM c;"), name="job")
    assert "produced by node Scan c. Write" in str(caught.value)


def test_a_slip_in_the_name_of_a_setting_is_asked_about() -> None:
    assert no_effect("table.exec.state.tl") == (
        "no effect here. Did you mean 'table.exec.state.ttl'?"
    )
    assert no_effect("table.exec.mini-batch.enabled") == "no effect here"
