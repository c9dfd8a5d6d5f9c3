"""The rules of Kafka tables: what breaks them, in Flink's words, at the option that does."""

from __future__ import annotations

import pytest

from penstock.errors import PenstockError
from penstock.model.types import STRING
from penstock.plan.nodes import scans
from tests.connectors.kafka_broken import RULES
from tests.connectors.kafka_scripts import CREATED, FIRST_LINE, merged, planned, script


@pytest.mark.parametrize("rule", RULES)
def test_broken_rule(rule: str) -> None:
    broken = RULES[rule]
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
