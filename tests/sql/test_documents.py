"""The pages' examples with what they leave out filled in: they are understood then."""

from __future__ import annotations

import pytest

from penstock.errors import PenstockError
from penstock.plan.script import plan_script
from penstock.sql.parse import parse
from tests.case_files import FOLDER

_BROKERS = "'topic' = 't', 'properties.bootstrap.servers' = 'x:1',"
# example → what stands for `...`, the error that is left
FILLED = {
    "flink_key_and_value_format": (_BROKERS, ""),
    "flink_overlapping_names": (_BROKERS, ""),
    "flink_sasl_plaintext": (f"{_BROKERS} 'format' = 'json',", ""),
    "flink_sasl_ssl": (f"{_BROKERS} 'format' = 'json',", ""),
    "flink_value_format": (_BROKERS, ""),
    "qingcloud_upsert_syntax": (_BROKERS, ""),
}


@pytest.mark.parametrize("name", FILLED)
def test_an_example_with_its_options(name: str) -> None:
    options, code = FILLED[name]
    text = (FOLDER / "documents" / f"{name}.sql").read_text(encoding="utf-8")
    script = parse(text.replace("...", options))
    if not code:
        assert plan_script(script, name=name).tables == ("KafkaTable",)
        return
    with pytest.raises(PenstockError) as caught:
        plan_script(script, name=name)
    assert (caught.value.code, caught.value.also) == (code, ())
