"""What users are told when a registry answers badly: where, asked for what, what to do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from penstock import PenstockError
from penstock.spark.failure import translate
from tests.registries.apicurio import free_port
from tests.registries.functions import decoded, encoded
from tests.registries.numbers import options
from tests.registries.proxy import door

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

    from tests.kafka_table.tables import Tables
    from tests.registries.apicurio import Registry

pytestmark = pytest.mark.kafka

_PAGE = b"<html><h1>Welcome</h1></html>"
_URL = "correct 'avro-confluent.url' (that of an Apicurio registry ends with /apis/ccompat/v7)"
_LOGIN = "'avro-confluent.basic-auth.user-info' or 'avro-confluent.bearer-auth.token'"
_COLUMNS = "change the columns, the subject's rule of compatibility, or the subject"
_LOST = "start the job again when the registry is back, or correct 'avro-confluent.url'"


def _error(spark: SparkSession, expression: str) -> PenstockError:
    with pytest.raises(Exception, match="PENSTOCK_REGISTRY") as caught:
        spark.range(1).selectExpr(expression).collect()
    error = translate(caught.value, "counting", "")
    assert "table `numbers`" in error.text
    return error


def _said(status: int, message: str = "") -> tuple[int, bytes]:
    return status, json.dumps({"error_code": status, "message": message}).encode()


@pytest.mark.parametrize(
    ("answer", "code", "reason", "advice"),
    [
        (_said(401, "Who?"), "REFUSED", "it answers with HTTP status 401: Who?", _LOGIN),
        ((401, _PAGE), "REFUSED", "it answers with HTTP status 401.", _LOGIN),
        (_said(403, "No."), "REFUSED", "it answers with HTTP status 403: No.", _LOGIN),
        ((404, _PAGE), "REFUSED", "it answers with HTTP status 404.", _URL),
        (_said(404, "HTTP 404"), "REFUSED", "it answers with HTTP status 404: HTTP 404.", _URL),
        ((200, _PAGE), "REFUSED", "it answers with HTTP status 200 and no JSON.", _URL),
        ((200, b""), "REFUSED", "it gives no 'schema'.", _URL),
        ((200, b'["schema"]'), "REFUSED", "it gives no 'schema'.", _URL),
        (_said(400), "REFUSED", "it answers with HTTP status 400.", "the options beside it"),
        (_said(500, "Full"), "LOST", "HTTP status 500: Full.", _LOST),
        ((502, _PAGE), "LOST", "HTTP status 502.", _LOST),
        (_said(429), "LOST", "HTTP status 429.", _LOST),
    ],
)
@pytest.mark.parametrize("handler", ["fail", "skip"])
def test_a_schema_is_asked_for(
    spark: SparkSession,
    registry: Registry,
    answer: tuple[int, bytes],
    code: str,
    reason: str,
    advice: str,
    handler: str,
) -> None:
    with door(registry) as wrong:
        wrong.always = answer
        error = _error(spark, decoded(wrong.url, known=7, handler=handler))
        assert wrong.url in error.text
    assert error.code == f"REGISTRY_{code}"
    assert f"asked for the schema with id 7, {reason}" in error.text
    assert advice in error.advice


@pytest.mark.parametrize(
    ("answer", "code", "reason", "advice"),
    [
        (_said(403, "No."), "REFUSED", "it answers with HTTP status 403: No.", _LOGIN),
        (_said(409, "Unlike"), "REFUSED", "it answers with HTTP status 409: Unlike.", _COLUMNS),
        (_said(422, "Bad"), "REFUSED", "it answers with HTTP status 422: Bad.", _COLUMNS),
        ((404, _PAGE), "REFUSED", "it answers with HTTP status 404.", _URL),
        ((200, _PAGE), "REFUSED", "it answers with HTTP status 200 and no JSON.", _URL),
        ((200, b"{}"), "REFUSED", "it gives no 'id'.", _URL),
        (_said(500), "LOST", "HTTP status 500.", _LOST),
    ],
)
def test_a_schema_is_registered(
    spark: SparkSession,
    registry: Registry,
    answer: tuple[int, bytes],
    code: str,
    reason: str,
    advice: str,
) -> None:
    with door(registry) as wrong:
        wrong.always = answer
        error = _error(spark, encoded(wrong.url))
        assert wrong.url in error.text
    assert error.code == f"REGISTRY_{code}"
    assert f"to register a schema under the subject 'numbers-value', {reason}" in error.text
    assert advice in error.advice


def test_a_subject_without_schemas(spark: SparkSession, registry: Registry) -> None:
    newest = {"auto.register.schemas": "false", "subject": "nobody's"}
    expression = encoded(registry.url, **newest)
    error = _error(spark, expression)
    assert error.code == "REGISTRY_REFUSED"
    assert "there is no schema under the subject 'nobody's'" in error.text
    assert "register one, or name its subject with 'avro-confluent.subject'" in error.advice


def test_an_answer_that_takes_too_long(spark: SparkSession, registry: Registry) -> None:
    with door(registry) as slow:
        slow.delay_s = 3
        error = _error(spark, decoded(slow.url))
    assert error.code == "REGISTRY_LOST"
    assert "asked for the schema with id 1, it says nothing for 2000 ms" in error.text


def test_nobody_listens(spark: SparkSession) -> None:
    error = _error(spark, decoded(f"http://localhost:{free_port()}"))
    assert error.code == "REGISTRY_LOST"
    assert "asked for the schema with id 1, ConnectException" in error.text


def test_an_incompatible_schema(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    numbers = topic("numbers")
    old = {"type": "record", "name": "record", "fields": [{"name": "s", "type": "string"}]}
    registry.register(f"{numbers}-value", old)
    registry.ask(f"/config/{numbers}-value", {"compatibility": "BACKWARD"}, method="PUT")
    url = registry.url.replace("//", "//ann:hunter2@")
    tables.create("numbers", "s INT NOT NULL", options(numbers, url))
    with pytest.raises(PenstockError) as caught:
        tables.run("INSERT INTO numbers VALUES (1);")
    error = caught.value
    assert error.code == "REGISTRY_REFUSED"
    assert f"{registry.url} refuses" in error.text and "HTTP status 409" in error.text
    assert f"under the subject '{numbers}-value'" in error.text and _COLUMNS in error.advice
    assert "hunter2" not in str(error)
