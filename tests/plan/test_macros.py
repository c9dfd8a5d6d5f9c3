"""Macros of the user's own in ClickHouse's Kafka tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.errors import PenstockError
from penstock.plan.script import plan_script
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from tests.plan.warehouse import Scripts

_QUEUE = """CREATE TABLE q (n Int64)
ENGINE = Kafka('{host}:9092', '{database}_{table}_{stage}', 'g-{stage}', JSONEachRow)
SETTINGS kafka_client_id = '{stage}';
"""
_HOST, _STAGE = "SET penstock.macros.host = 'h1';\n", "SET penstock.macros.stage = 'test';\n"
_FILLED = ("h1:9092", "default_q_test", "g-test", "kafka_client_id = 'test'")


def _created(plan_of: Scripts, script: str) -> str:
    return str(plan_of.plan(script + "SHOW CREATE TABLE q;").results[-1].rows[0][0])


def test_macros_are_filled_in_when_a_table_is_created(scripts: Scripts) -> None:
    text = _created(scripts, _HOST + _STAGE + _QUEUE)
    assert all(one in text.replace("{database}_{table}", "default_q") for one in _FILLED)


def test_macros_of_the_command_line_win() -> None:
    given = (("penstock.macros.host", "h2"), ("penstock.macros.stage", "s"))
    script = parse(_HOST + _QUEUE + "SHOW CREATE TABLE q;", "clickhouse")
    plan = plan_script(script, name="job", settings=given)
    assert "'h2:9092'" in plan.results[-1].rows[0][0]
    assert not plan.notes


def test_a_named_collection_may_have_macros(scripts: Scripts) -> None:
    script = """CREATE NAMED COLLECTION c AS kafka_broker_list = '{host}:9092',
        kafka_topic_list = 't', kafka_group_name = 'g', kafka_format = 'CSV';
        CREATE TABLE q (n Int64) ENGINE = Kafka(c);"""
    assert "h1:9092" in _created(scripts, _HOST + script)


def test_a_table_is_kept_with_what_its_macros_stood_for(scripts: Scripts) -> None:
    rest = "CREATE TABLE t (n Int64) ENGINE = MergeTree ORDER BY n;"
    view = "CREATE MATERIALIZED VIEW v TO t AS SELECT n FROM q;"
    scripts.run(_HOST + _STAGE + _QUEUE + rest + view)
    assert "h1:9092" in _created(scripts, "")
    scripts.run(_HOST + _STAGE + _QUEUE + rest + view)
    other = _HOST.replace("h1", "h2")
    assert scripts.refused(other + _STAGE + _QUEUE).startswith("DECLARED_OTHERWISE: ")


def test_an_unknown_macro_is_refused_with_advice(scripts: Scripts) -> None:
    refused = scripts.refused(_STAGE + _QUEUE)
    assert refused.startswith("INVALID_OPTION_VALUE: ")
    assert "--set penstock.macros.host=VALUE" in refused
    assert "SET penstock.macros.host = 'VALUE'" in refused


@pytest.mark.parametrize(
    "key", ["penstock.macros.table", "penstock.macros.a-b", "penstock.macros."]
)
def test_names_of_macros_are_words_of_their_own(key: str) -> None:
    with pytest.raises(PenstockError) as caught:
        plan_script(parse("SELECT 1", "clickhouse"), name="job", settings=((key, "x"),))
    assert caught.value.code == "INVALID_SETTING"
