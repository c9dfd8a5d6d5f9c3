"""ClickHouse's AvroConfluent on a real registry: what is read, written and registered."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import functions as F

from penstock.formats.clickhouse import CLICKHOUSE_FORMATS
from penstock.kafka.record import Record
from penstock.kafka.records import produce
from penstock.model.option import OptionReader, OptionValue
from penstock.model.types import spark_schema_text
from penstock.sql.clickhouse.type_reader import type_of
from tests.clickhouse.server import Server
from tests.registries.apicurio import free_port
from tests.registries.messages import read, schema_id, written
from tests.registries.proxy import door

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.formats.clickhouse.base import ClickHouseFormat
    from penstock.kafka.broker import BrokerStatus
    from tests.registries.apicurio import Registry

pytestmark = pytest.mark.spark

_FIELDS = (("id", type_of("UInt32", "id")), ("note", type_of("Nullable(String)", "note")))
_OPTIONAL = ["null", "string"]


def _record(**fields: Any) -> dict[str, Any]:
    pairs = [{"name": name, "type": type_} for name, type_ in fields.items()]
    return {"type": "record", "name": "Order", "fields": pairs}


def _format(url: str, **settings: str) -> ClickHouseFormat:
    given = {"format_avro_schema_registry_url": url, **settings}
    values = [OptionValue(key, value) for key, value in given.items()]
    return CLICKHOUSE_FORMATS["AvroConfluent"].of_table(OptionReader("orders", values), 0)


def _rows(spark: SparkSession, format_: ClickHouseFormat, message: bytes) -> list[tuple[Any, ...]]:
    messages = spark.createDataFrame([(bytearray(message),)], "value BINARY")
    schema, told = spark_schema_text(_FIELDS), json.dumps(format_.told(_FIELDS))
    rows = F.call_function(format_.DECODE, F.col("value"), F.lit(schema), F.lit(told))
    return [tuple(row) for row in messages.select(F.inline(rows)).collect()]


def test_records_of_several_schemas_in_one_message(spark: SparkSession, registry: Registry) -> None:
    old, new = _record(id="int", note=_OPTIONAL), _record(more="long", note="string", id="long")
    first, second = registry.register("ch-one", old), registry.register("ch-two", new)
    message = written(old, first, {"id": 1, "note": None}) + written(
        new, second, {"more": 2, "note": "x", "id": 4_000_000_000}
    )
    assert _rows(spark, _format(registry.url), message) == [(1, None), (4_000_000_000, "x")]


def test_a_column_that_the_schema_lacks(spark: SparkSession, registry: Registry) -> None:
    schema = _record(id="int")
    message = written(schema, registry.register("ch-lacks", schema), {"id": 1})
    with pytest.raises(Exception, match="Field note not found in Avro schema"):
        _rows(spark, _format(registry.url), message)
    lenient = _format(registry.url, input_format_avro_allow_missing_fields="1")
    assert _rows(spark, lenient, message) == [(1, None)]


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (b"\1\0\0\0\1\2", "Must be zero byte, found 1 instead: .at row 1."),
        (b"\0\0\0", "Missing AvroConfluent magic byte or schema identifier"),
        (b"\0\x7f\xff\xff\xff\2", "Could not find schema with id 2147483647 in registry"),
    ],
)
def test_broken_messages(
    spark: SparkSession, registry: Registry, message: bytes, reason: str
) -> None:
    with pytest.raises(Exception, match=f"PENSTOCK_BAD_MESSAGE.*{reason}"):
        _rows(spark, _format(registry.url), message)


def test_a_registry_that_does_not_answer_is_no_fault_of_a_message(spark: SparkSession) -> None:
    format_ = _format(f"http://name:secret@localhost:{free_port()}")
    told = {**format_.told(_FIELDS), "max.retries": 0, "ignore-parse-errors": "true"}
    messages = spark.createDataFrame([(bytearray(b"\0\0\0\0\1\2"),)], "value BINARY")
    schema, options = F.lit(spark_schema_text(_FIELDS)), F.lit(json.dumps(told))
    rows = F.call_function(format_.DECODE, F.col("value"), schema, options)
    lost = "PENSTOCK_REGISTRY_LOST table=orders option=format_avro_schema_registry_url"
    with pytest.raises(Exception, match=lost) as caught:
        messages.select(rows).collect()
    assert "secret" not in str(caught.value)


def test_a_schema_is_registered_with_the_first_row(spark: SparkSession, registry: Registry) -> None:
    format_ = _format(registry.url, output_format_avro_confluent_subject="ch-written")
    row = "named_struct('id', 4000000000L, 'note', 'x')"
    sql = format_.encode_rows(f"array({row}, {row})", _FIELDS)
    found = spark.range(1).select(F.expr(sql)).first()
    assert found is not None
    message = bytes(found[0])
    schema = {
        "type": "record",
        "name": "row",
        "fields": [{"name": "id", "type": "int"}, {"name": "note", "type": _OPTIONAL}],
    }
    assert registry.latest("ch-written") == schema
    first, second = message[: len(message) // 2], message[len(message) // 2 :]
    assert first == second
    assert read(schema, first) == {"id": 4_000_000_000 - 2**32, "note": "x"}
    registered = registry.ask(f"/schemas/ids/{schema_id(first)}")
    assert json.loads(registered["schema"]) == schema


@pytest.mark.kafka
def test_each_table_has_its_registry(
    spark: SparkSession,
    broker: BrokerStatus,
    registry: Registry,
    topic: Callable[..., str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What one id means at one, it does not at the other; broken messages stand beside rows."""
    server = Server(spark, broker.address, tmp_path, topic, capsys)
    one, two = _record(id="int", note=_OPTIONAL), _record(note="string", id="long")
    known = registry.register("ch-one", one)
    with door(registry) as other:
        other.always = (200, json.dumps({"schema": json.dumps(two)}).encode())
        urls = {
            "q1": ("format_avro_schema_registry_url", registry.url, one, "stream"),
            "q2": ("kafka_format_avro_schema_registry_url", other.url, two, "dead_letter_queue"),
        }
        script, selects = "", []
        for name, (setting, url, schema, mode) in urls.items():
            read = topic(name)
            rows = [written(schema, known, {"id": n, "note": f"{name} {n}"}) for n in range(3)]
            records = map(Record, [*rows, b"qwertyuiop"])
            produce(server.properties, read, records)
            settings = {setting: url, "kafka_topic_list": read, "kafka_handle_error_mode": mode}
            columns = "id Int64, note String"
            script += server.queue(name, columns, kafka_format="AvroConfluent", **settings)
            selects.append(f"SELECT id, note, _topic = '{read}' AS own, _offset AS at FROM {name}")
        server.sql(
            script
            + "CREATE TABLE kept (id Int64, note String, own UInt8, at UInt64) "
            + "ENGINE = MergeTree ORDER BY id;"
            + f"CREATE MATERIALIZED VIEW v TO kept AS {' UNION ALL '.join(selects)};"
        )
        server.serve(drain=True)
    found = server.sql("SELECT * FROM kept FORMAT JSONCompactEachRow")
    expected = [[n, f"{name} {n}", 1, n] for name in urls for n in range(3)]
    assert sorted(found) == sorted([*expected, [0, "", 1, 3]])
    letters = "SELECT table, kafka_offset, raw_message FROM system.dead_letter_queue"
    assert server.sql(f"{letters} FORMAT JSONCompactEachRow") == [["q2", 3, "qwertyuiop"]]
