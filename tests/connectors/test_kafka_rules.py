"""The rules of Kafka tables: what breaks them, in Flink's words, at the option that does."""

from __future__ import annotations

import pytest

from penstock.errors import PenstockError
from penstock.model.types import STRING
from penstock.plan.explain import explain
from penstock.plan.walk import scans
from tests.connectors.kafka_broken import RULES
from tests.connectors.kafka_failures import FAILURES, HANDLER, LETTERS
from tests.connectors.kafka_scripts import CREATED, FIRST_LINE, merged, planned, script


@pytest.mark.parametrize("rule", {**RULES, **FAILURES})
def test_broken_rule(rule: str) -> None:
    broken = {**RULES, **FAILURES}[rule]
    with pytest.raises(PenstockError) as caught:
        planned(script(broken.options, use=broken.use, columns=broken.columns))
    assert caught.value.code == broken.code, str(caught.value)
    assert broken.text in str(caught.value)
    lines = [*merged(broken.options)]
    line = FIRST_LINE + lines.index(broken.at) if broken.at else 1
    assert caught.value.span is not None
    assert caught.value.span.line == line


def test_a_key_is_fine_where_rows_change() -> None:
    columns = "id BIGINT, name STRING, PRIMARY KEY (id) NOT ENFORCED"
    assert planned(script({"format": "debezium-json"}, use=CREATED, columns=columns)).queries == ()


def test_metadata_of_a_format() -> None:
    text = script(
        {"format": "debezium-json"}, columns="id BIGINT, o STRING METADATA FROM 'value.{}'"
    )
    (query,) = planned(text.format("source.table")).queries
    spec = scans(query.input)[0].spec
    assert ("o", "__value.`__source.table`", STRING) in spec.columns
    with pytest.raises(PenstockError, match=r"value\.source\.properties, topic, partition"):
        planned(text.format("source.name"))


@pytest.mark.parametrize("handler", ["none", "log", "kafka"])
def test_formats_are_told_of_the_handler(handler: str) -> None:
    options = {HANDLER: handler, "key.format": "csv", "key.fields": "id"}
    options |= {LETTERS: "dead"} if handler == "kafka" else {}
    plan = planned(script({**options}))
    decoded = dict(scans(plan.queries[0].input)[0].spec.decoded)
    told = f", topic, partition, offset, 't', '{'fail' if handler == 'none' else handler}'"
    assert decoded["__value"].endswith(f"{told}, 'json.ignore-parse-errors')")
    assert decoded["__key"].endswith(f"{told}, 'key.csv.ignore-parse-errors')")
    shown = explain(plan)
    assert f"{HANDLER}={handler}" in shown
    assert (f"{LETTERS}=dead" in shown) == (handler == "kafka")
    assert plan.notes == ()


@pytest.mark.parametrize("ignoring", ["json.ignore-parse-errors", "key.csv.ignore-parse-errors"])
def test_a_handler_that_meets_less_than_it_seems(ignoring: str) -> None:
    options = {HANDLER: "log", "key.format": "csv", "key.fields": "id", ignoring: "true"}
    (note,) = planned(script({**options})).notes
    assert f"'{HANDLER}' meets nothing that '{ignoring}' leaves out before it" in note


def test_both_formats_are_named_that_ignore_what_they_cannot_read() -> None:
    ignoring = ("value.json.ignore-parse-errors", "key.csv.ignore-parse-errors")
    options: dict[str, str | None] = {HANDLER: "log", "format": None, "value.format": "json"}
    options |= {"key.format": "csv", "key.fields": "id", **dict.fromkeys(ignoring, "true")}
    (note,) = planned(script(options)).notes
    assert f"nothing that '{ignoring[0]}' or '{ignoring[1]}' leaves out" in note
