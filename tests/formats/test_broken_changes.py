"""Recorded messages of changes, broken in thousands of ways: read, or refused, and never worse."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

_CASES = Path(__file__).parents[1] / "cases" / "formats"
_FORMATS = ("debezium_json", "canal_json", "maxwell_json", "ogg_json")
_PER_MESSAGE = 40
_OTHER_VALUES = (None, True, -1, 1.5, 10**40, "", "x", [], [None], [[]], {}, {"id": {}}, {"": []})
_METADATA = {
    "debezium_json": "`source.timestamp` TIMESTAMP, `source.properties` MAP<STRING, STRING>",
    "canal_json": "`sql-type` MAP<STRING, INT>, `pk-names` ARRAY<STRING>, table STRING",
    "maxwell_json": "`ingestion-timestamp` TIMESTAMP, `primary-key-columns` ARRAY<STRING>",
    "ogg_json": "`ingestion-timestamp` TIMESTAMP, `event-timestamp` TIMESTAMP",
}


def _recorded(name: str) -> list[str]:
    lines = (_CASES / f"{name}.in.products.jsonl").read_text(encoding="utf-8").splitlines()
    values = [json.loads(line)["value"] for line in lines]
    return [value for value in values if value is not None]


def _broken(message: str, chance: random.Random) -> Iterator[bytes]:
    whole = message.encode()
    for _ in range(_PER_MESSAGE):
        at, end = sorted(chance.choices(range(len(whole) + 1), k=2))
        yield whole[:at]
        yield whole[:at] + whole[end:]
        yield whole[:end] + whole[at:]
        yield whole[:at] + bytes([chance.randrange(256)]) + whole[at + 1 :]
        yield json.dumps(_with_another_value(json.loads(message), chance)).encode()


def _with_another_value(tree: Any, chance: random.Random) -> Any:
    """The tree with a value somewhere in it replaced, or left out."""
    if not isinstance(tree, dict | list) or not tree or chance.random() < 0.2:
        return chance.choice(_OTHER_VALUES)
    key = chance.choice(list(tree) if isinstance(tree, dict) else range(len(tree)))
    if chance.random() < 0.1:
        del tree[key]
    else:
        tree[key] = _with_another_value(tree[key], chance)
    return tree


@pytest.mark.parametrize(
    "options", [{}, {"ignore-parse-errors": "true"}, {"missing-before": "upsert", "key": '["id"]'}]
)
@pytest.mark.parametrize("name", _FORMATS)
def test_broken_messages(spark: SparkSession, name: str, options: dict[str, str]) -> None:
    chance = random.Random(name)
    recorded = _recorded(name)
    messages = [broken for message in recorded for broken in _broken(message, chance)]
    schema = StructType.fromDDL("id INT, name STRING, description STRING, weight FLOAT")
    for field in StructType.fromDDL(f"{_METADATA[name]}, kind TINYINT").fields:
        schema = schema.add(f"__{field.name}", field.dataType, metadata={"hidden": field.name})
    place = (F.lit("topic"), F.lit(0), F.lit(0).cast("bigint"))
    handled = (F.lit("table"), F.lit("skip"), F.lit(""))
    rows = F.call_function(
        f"penstock_{name}_decode",
        F.col("value"),
        F.lit(schema.json()),
        F.lit(json.dumps(options)),
        *place,
        *handled,
    )
    frame = spark.createDataFrame([(bytearray(message),) for message in messages], "value BINARY")
    found = [row[0] for row in frame.select(F.to_json(rows)).collect()]
    read = [json.loads(text) for text in found if text is not None]
    assert {row["__kind"] for rows_of in read for row in rows_of} <= {0, 1, 2, 3}
    assert len(recorded) < len(read) < len(messages) - len(recorded)
