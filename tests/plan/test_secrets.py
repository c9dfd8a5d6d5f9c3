"""Passwords stay out of everything that is shown, wherever the script put them."""

from __future__ import annotations

import pytest

from penstock.cli.render import Script, hide_secrets, render_error
from penstock.errors import PenstockError
from penstock.plan.explain import explain
from penstock.plan.explain_graph import explain_json
from penstock.plan.script import plan_script
from penstock.sql.parse import parse

TABLES = """
CREATE TABLE t (id INT) WITH (
  'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1', 'format' = 'json',
  'scan.startup.mode' = 'earliest-offset');
CREATE TABLE shown (id INT) WITH ('connector' = 'print');
"""
HINT = "/*+ OPTIONS('properties.sasl.jaas.config' = 'hunter2') */"
SCRIPTS = [
    f"INSERT INTO shown SELECT id FROM t {HINT};",
    f"INSERT INTO shown SELECT id FROM t WHERE id IN (SELECT id FROM t {HINT});",
    f"INSERT INTO shown SELECT id FROM t WHERE id > (SELECT MAX(id) FROM t {HINT});",
    f"CREATE VIEW v AS SELECT id FROM t {HINT}; SHOW CREATE VIEW v;",
    "CREATE TABLE f (id INT) WITH ('connector' = 'filesystem', 'format' = 'json', "
    "'path' = 's3a://key:hunter2@bucket/x'); SHOW CREATE TABLE f; "
    "INSERT INTO shown SELECT id FROM f; INSERT INTO f SELECT id FROM t;",
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_plans_and_answers_hide_them(script: str) -> None:
    plan = plan_script(parse(TABLES + script), name="test")
    shown = explain(plan) + explain_json(plan) + str(plan.results)
    assert "hunter2" not in shown
    assert "***" in shown or "jaas" not in script.partition("WHERE")[0]


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE t (id INT) WITH ('connector' = 'kafka', 'properties.a.password' 'hunter2');",
        "CREATE TABLE t (id INT) WITH ('properties.a.password' = 'b' 'hunter2');",
        "CREATE TABLE t (a Int8) ENGINE = Kafka SETTINGS kafka_sasl_password 'hunter2';",
        "CREATE TABLE t (a Int8) ENGINE = Kafka('b:1', 't', 'g', 'CSV' 'hunter2');",
    ],
)
def test_syntax_errors_hide_them(script: str) -> None:
    with pytest.raises(PenstockError) as caught:
        plan_script(parse(script), name="test")
    assert caught.value.code == "SYNTAX_ERROR"
    assert "hunter2" not in f"{caught.value} {caught.value.advice}"


LINES = {
    "'properties.sasl.password' = 'admin-secret'": "'properties.sasl.password' = '***'",
    "'properties.sasl.password' = 'admin-secret',": "'properties.sasl.password' = '***',",
    "'a.password' = 'x', 'b.password' = 'y-token'": "'a.password' = '***', 'b.password' = '***'",
    "'properties.sasl.password'": "'properties.sasl.password'",
    "'penstock.credentials' = 'shop'": "'penstock.credentials' = 'shop'",
    "'properties.my.api.key' = 'hunter2'": "'properties.my.api.key' = '***'",
    "SETTINGS kafka_sasl_passwort = 'hush'": "SETTINGS kafka_sasl_passwort = '***'",
    "SETTINGS kafka_sasl_paswort = 'hush'": "SETTINGS kafka_sasl_paswort = '***'",
    "SETTINGS kafka_sasl_pwd = 'hush'": "SETTINGS kafka_sasl_pwd = '***'",
    "'my.client.secrt' = 'hush'": "'my.client.secrt' = '***'",
    "'sasl.credentails' = 'hush'": "'sasl.credentails' = '***'",
    "'secure' = 'no', 'taken' = 'b', 'identifier' = 'c'": (
        "'secure' = 'no', 'taken' = 'b', 'identifier' = 'c'"
    ),
    "CREATE USER ann IDENTIFIED BY 'my secret'": "CREATE USER ann IDENTIFIED BY '***'",
    "'url' = 'http://ann:hunt/er@2@b:1', 'c' = 'd@e'": "'url' = 'http://ann:***@b:1', 'c' = 'd@e'",
}


@pytest.mark.parametrize("line", LINES)
def test_the_line_of_an_error_hides_them(line: str) -> None:
    assert hide_secrets([line], 0) == LINES[line]


def test_a_misspelt_secret_is_unknown_and_hidden() -> None:
    engine = "Kafka('b:1', 't', 'g', 'CSV') SETTINGS kafka_sasl_passwort = 'hushhush'"
    text = f"CREATE TABLE q (a Int8) ENGINE = {engine}"
    with pytest.raises(PenstockError) as caught:
        plan_script(parse(text), name="test")
    assert caught.value.code == "UNKNOWN_OPTION"
    shown = render_error(caught.value, Script("q.sql", text))
    assert "kafka_sasl_passwort = '***'" in shown
    assert "hushhush" not in shown


def test_the_place_of_an_error_is_that_of_the_line_as_it_is_shown() -> None:
    engine = "Kafka('b:1', 't', 'g', 'CSV') SETTINGS kafka_sasl_password = 'hunter2', kafka_x = 1"
    text = f"CREATE TABLE q (a Int8) ENGINE = {engine}"
    with pytest.raises(PenstockError) as caught:
        plan_script(parse(text), name="test")
    shown, mark = render_error(caught.value, Script("q.sql", text)).splitlines()[2:4]
    assert shown[mark.index("^") : mark.rindex("^") + 1] == "kafka_x"
