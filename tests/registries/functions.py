"""The format's functions by themselves: a message is read, a row is written, without Kafka."""

from __future__ import annotations

import json

from pyspark.sql.types import StructType

from penstock.model.types import literal
from tests.registries.messages import written
from tests.registries.numbers import SCHEMA

_QUICK = {"max.retries": "1", "retries.wait.ms": "1", "http.read.timeout.ms": "2000"}


def decoded(url: str, *, known: int = 1, handler: str = "fail") -> str:
    """An expression that reads a message written with the schema of this id."""
    more = {"ignore-parse-errors": "true"} if handler == "skip" else {}
    return (
        f"penstock_avro_confluent_decode(X'{written(SCHEMA, known, {'n': 1}).hex()}', "
        f"{literal(StructType.fromDDL('n INT').json())}, {_options(url, **more)}, "
        f"'t', 0, 0L, 'numbers', '{'fail' if handler == 'skip' else handler}', '')"
    )


def encoded(url: str, **more: str) -> str:
    """An expression that writes a row, under the subject `numbers-value`."""
    told = _options(url, **{"subject": "numbers-value", **more})
    return f"penstock_avro_confluent_encode(named_struct('n', 1), {told})"


def _options(url: str, **more: str) -> str:
    schema = json.dumps(SCHEMA)
    named = {"url": url, "schema": schema, "table": "numbers", "option": "avro-confluent.url"}
    return literal(json.dumps({**named, **_QUICK, **more}))
