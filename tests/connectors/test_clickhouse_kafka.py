"""ClickHouse's Kafka tables: what their formats make of messages and rows."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import functions as F

from penstock.errors import PenstockError
from penstock.formats.clickhouse import CLICKHOUSE_FORMATS
from penstock.model.option import OptionReader
from penstock.plan.script import plan_script
from penstock.plan.walk import scans
from penstock.spark.sources.kafka import _client_options
from penstock.sql.clickhouse.type_reader import type_of
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from penstock.plan.query import Query

_COLUMNS = """
id UInt64, state Enum8('it''s "new"' = 1, 'back\\\\slash' = 2), at DateTime('Asia/Tokyo'),
tags Array(String), `e.x` Nullable(String)
"""


def _query(
    format_name: str, columns: str = _COLUMNS, settings: str = "kafka_num_consumers = 1"
) -> Query:
    script = f"""
        CREATE TABLE read ({columns})
          ENGINE = Kafka('h:9092', 't', 'g', '{format_name}') SETTINGS {settings};
        CREATE TABLE written ({columns})
          ENGINE = Kafka('h:9092', 'u', 'g', '{format_name}') SETTINGS {settings};
        CREATE MATERIALIZED VIEW v TO written AS SELECT * FROM read;
    """
    (query,) = plan_script(parse(script, "clickhouse"), name="x").queries
    return query


_REGISTRY = (
    "format_avro_schema_registry_url = 'http://h:8081', output_format_avro_confluent_subject = 's'"
)
_PROTO = Path(__file__).parents[1] / "formats" / "protobuf"
_SCHEMAS = {
    **dict.fromkeys(("Protobuf", "ProtobufSingle"), f"kafka_schema = '{_PROTO}/clickhouse:M'"),
    "ProtobufList": f"kafka_schema = '{_PROTO}/clickhouse.proto:Row'",
}


@pytest.mark.parametrize(
    "name", [name for name, format_ in CLICKHOUSE_FORMATS.items() if format_.ENCODE]
)
def test_formats_are_read_and_written(name: str) -> None:
    column = {"Protobuf": "str", "ProtobufSingle": "str"}.get(name, "a")
    query = _query(name, f"{column} String", _SCHEMAS.get(name, _REGISTRY))
    (scan,) = scans(query.input)
    format_ = CLICKHOUSE_FORMATS[name]
    assert [rows for rows, _ in scan.spec.decoded] == ["__value"]
    assert scan.spec.decoded[0][1].startswith(f"{format_.DECODE}(value, ")
    assert query.spec.columns[0][0] == "value"
    assert query.spec.columns[0][1].startswith(
        f"{format_.ENCODE}(named_struct('{column}', `{column}`), "
    )


@pytest.mark.parametrize(
    ("format_name", "columns", "settings", "code"),
    [
        ("JSONAsString", "a String", "kafka_num_consumers = 1", "FORMAT_NOT_WRITTEN"),
        ("JSONAsString", "a UInt8", "kafka_num_consumers = 1", "UNSUPPORTED_TYPE"),
        ("RawBLOB", "a String, b String", "kafka_num_consumers = 1", "UNSUPPORTED_TYPE"),
        ("LineAsString", "a Array(String)", "kafka_num_consumers = 1", "UNSUPPORTED_TYPE"),
        ("CSV", "a String", "format_csv_delimiter = '||'", "INVALID_OPTION_VALUE"),
        ("JSONEachRow", "a String", "input_format_null_as_default = 2", "INVALID_OPTION_VALUE"),
        ("TSV", "a String", "date_time_input_format = 'best'", "INVALID_OPTION_VALUE"),
        ("TSV", "a String", "penstock_dead_letter_topic = 'x'", "CONFLICTING_OPTIONS"),
        ("TSV", "a String", "kafka_keeper_path = '/x'", "CONFLICTING_OPTIONS"),
        ("TSV", "a String", "kafka_consumer_reschedule_ms = 60001", "CONFLICTING_OPTIONS"),
        ("TSV", "a String", "kafka_num_consumers = 100000", "INVALID_OPTION_VALUE"),
        ("TSV", "a String", "kafka_num_consumers = 0", "INVALID_OPTION_VALUE"),
        ("TSV", "a String", "kafka_max_block_size = 0", "INVALID_OPTION_VALUE"),
        (
            *("TSV", "a String"),
            *(
                "kafka_compression_codec = 'gzip', kafka_compression_level = 10",
                "CONFLICTING_OPTIONS",
            ),
        ),
        (
            "TSV",
            "a String",
            "kafka_handle_error_mode = 'dead_letter_queue', penstock_dead_letter_topic = 't'",
            "CONFLICTING_OPTIONS",
        ),
        (
            "TSV",
            "a String",
            "kafka_handle_error_mode = 'dead_letter_queue', penstock_dead_letter_topic = 'a b'",
            "REFUSED_OPTION",
        ),
        ("TSV", "a String, b String EPHEMERAL", "kafka_num_consumers = 1", "CONFLICTING_OPTIONS"),
        ("Avro", "a String", "output_format_avro_codec = 'zip'", "INVALID_OPTION_VALUE"),
        ("AvroConfluent", "a String", "kafka_num_consumers = 1", "MISSING_OPTION"),
        ("Protobuf", "a String", "kafka_num_consumers = 1", "MISSING_OPTION"),
        (
            *("ProtobufSingle", "str String"),
            *(
                f"{_SCHEMAS['ProtobufSingle']}, kafka_max_rows_per_message = 2",
                "CONFLICTING_OPTIONS",
            ),
        ),
        ("Protobuf", "a String", "kafka_schema = 'M'", "INVALID_OPTION_VALUE"),
        ("Protobuf", "a String", "kafka_schema = 'nowhere:M'", "REFUSED_OPTION"),
        ("Protobuf", "a String", f"kafka_schema = '{_PROTO}/clickhouse:N'", "REFUSED_OPTION"),
        ("Protobuf", "a String", _SCHEMAS["Protobuf"], "PROTOBUF_MISMATCH"),
        ("Protobuf", "e Float64", _SCHEMAS["Protobuf"], "PROTOBUF_MISMATCH"),
        ("Protobuf", "ri Int32", _SCHEMAS["Protobuf"], "PROTOBUF_MISMATCH"),
        ("Protobuf", "i32 Array(Int32)", _SCHEMAS["Protobuf"], "PROTOBUF_MISMATCH"),
        ("Protobuf", "inner Tuple(x Int32)", _SCHEMAS["Protobuf"], "PROTOBUF_MISMATCH"),
        (
            *("Protobuf", "inner Tuple(u Int32), `inner.v` String"),
            *(_SCHEMAS["Protobuf"], "PROTOBUF_MISMATCH"),
        ),
        ("Protobuf", "a Int32", f"kafka_schema = '{_PROTO}/clickhouse2:M2'", "PROTOBUF_MISMATCH"),
        ("CSV", "a String", "format_csv_delimeter = ';'", "UNKNOWN_OPTION"),
        ("CSV", "a String", "schema_inference_use_cache = 1", "UNKNOWN_OPTION"),
        ("AvroConfluent", "a String", _REGISTRY.partition(",")[0], "MISSING_OPTION"),
    ],
)
def test_refused(format_name: str, columns: str, settings: str, code: str) -> None:
    with pytest.raises(PenstockError) as caught:
        _query(format_name, columns, settings)
    assert caught.value.code == code


@pytest.mark.spark
def test_messages_go_through_a_plan(spark: SparkSession) -> None:
    settings = "input_format_import_nested_json = 1, kafka_schema_registry_skip_bytes = 2"
    query = _query("JSONEachRow", settings=settings)
    (scan,) = scans(query.input)
    message = (
        b'\0\0{"id":18446744073709551615,"state":2,"at":"2020-01-31 10:11:12","e":{"x":"y"}}'
        b'\n{"state":"it\'s \\"new\\"","tags":["a/b"]}'
    )
    records = spark.createDataFrame(
        [(message, "t", 0, 7), (None, "t", 0, 8), (b"", "t", 0, 9)],
        "value BINARY, topic STRING, partition INT, offset BIGINT",
    )
    (rows,) = scan.spec.decoded
    decoded = records.select("*", F.explode(F.expr(rows[1])).alias(rows[0]))
    read = ("id", "state", "at", "tags", "e.x")
    stored = decoded.select(
        *(F.expr(sql).alias(name) for name, sql, _ in scan.spec.columns if name in read)
    )
    written = stored.select(F.expr(query.spec.columns[0][1]).alias("value")).collect()
    assert [bytes(row["value"]).decode() for row in written] == [
        '{"id":18446744073709551615,"state":"back\\\\slash","at":"2020-01-31 10:11:12",'
        '"tags":[],"e.x":"y"}\n',
        '{"id":0,"state":"it\'s \\"new\\"","at":"1970-01-01 09:00:00","tags":["a\\/b"],'
        '"e.x":null}\n',
    ]


_ALL = """
u UInt64, i Int8, f Float32, d Decimal(10, 2), b Bool, s String, x FixedString(3), at DateTime,
at3 DateTime64(3), day Date, day32 Date32, e Enum16('z' = 5, 'a' = 1), id UUID, ip IPv4, ip6 IPv6,
n Nullable(Int32), a Array(Array(UInt8)), m Map(String, UInt64),
t Tuple(p UInt8, q Nullable(String))
"""


@pytest.mark.spark
def test_a_broken_message_is_a_row_of_defaults(spark: SparkSession) -> None:
    """The same that a message without any field gives."""
    query = _query("JSONEachRow", _ALL, "kafka_handle_error_mode = 'stream'")
    (scan,) = scans(query.input)
    records = spark.createDataFrame(
        [(b"{}", "t", 0, 7), (b'{"u": {}', "t", 0, 8)],
        "value BINARY, topic STRING, partition INT, offset BIGINT",
    )
    ((name, rows),) = scan.spec.decoded
    decoded = records.select("*", F.explode(F.expr(rows)).alias(name))
    stored = decoded.select(*(F.expr(sql).alias(column) for column, sql, _ in scan.spec.columns))
    good, broken = stored.select(F.expr(query.spec.columns[0][1]).alias("value")).collect()
    assert good["value"] == broken["value"]


@pytest.mark.parametrize(
    ("brokers", "servers"),
    [
        ("a", "a:9092"),
        ("a:1, b ,c:3", "a:1,b:9092,c:3"),
        ("[::1]:9093", "[::1]:9093"),
        ("[::1]", "[::1]:9092"),
    ],
)
def test_a_broker_without_a_port(brokers: str, servers: str) -> None:
    script = f"""
        CREATE TABLE q (a String) ENGINE = Kafka('{brokers}', 't', 'g', 'CSV');
        CREATE MATERIALIZED VIEW v ENGINE = Log AS SELECT a FROM q;
    """
    (query,) = plan_script(parse(script, "clickhouse"), name="x").queries
    assert f"bootstrap.servers={servers})" in scans(query.input)[0].spec.source.describe()


@pytest.mark.spark
def test_several_rows_in_one_message(spark: SparkSession) -> None:
    format_ = CLICKHOUSE_FORMATS["CSVWithNames"].of_table(OptionReader("t", ()), 0)
    fields = (("a", type_of("UInt64", "a")), ("b", type_of("String", "b")))
    rows = spark.range(2).selectExpr(
        "named_struct('a', CAST(id AS DECIMAL(20, 0)), 'b', concat('x', id)) AS row"
    )
    grouped = rows.agg(F.sort_array(F.collect_list("row")).alias("rows"))
    message = grouped.select(F.expr(format_.encode_rows("rows", fields))).first()
    assert message is not None
    assert bytes(message[0]) == b'"a","b"\n0,"x0"\n1,"x1"\n'


@pytest.mark.spark
def test_most_formats_write_one_row(spark: SparkSession) -> None:
    rows = F.expr("array(named_struct('a', 1))")
    with pytest.raises(Exception, match="penstock_json_encode writes one row as a message"):
        spark.range(1).select(F.call_function("penstock_json_encode", rows, F.lit("{}")))


def test_as_many_messages_are_polled_at_once() -> None:
    query = _query("CSV", "a String", "kafka_poll_max_batch_size = 7")
    (scan,) = scans(query.input)
    assert _client_options(scan.spec.source)["kafka.max.poll.records"] == "7"


def test_more_consumers_are_allowed_where_the_limit_is_off() -> None:
    table = "CREATE TABLE q (a String) ENGINE = Kafka('h', 't', 'g', 'CSV')"
    settings = "SETTINGS kafka_num_consumers = 100000"
    script = f"SET kafka_disable_num_consumers_limit = 1; {table} {settings}"
    assert plan_script(parse(script, "clickhouse"), name="x").tables == ("q",)


@pytest.mark.parametrize(
    ("table", "settings", "client_id"),
    [
        ("kafka", "", f"ClickHouse-{socket.gethostname()}-default-kafka"),
        ("test.kafka", "", f"ClickHouse-{socket.gethostname()}-test-kafka"),
        ("kafka", "SETTINGS kafka_client_id = '{table} a b'", "kafka a b"),
    ],
)
def test_consumers_have_a_name(table: str, settings: str, client_id: str) -> None:
    script = f"""
        CREATE DATABASE test;
        CREATE TABLE {table} (a String) ENGINE = Kafka('h', 't', 'g', 'CSV', '\\n') {settings};
        CREATE MATERIALIZED VIEW v ENGINE = Log AS SELECT a FROM {table};
    """
    (query,) = plan_script(parse(script, "clickhouse"), name="x").queries
    (scan,) = scans(query.input)
    assert _client_options(scan.spec.source)["kafka.client.id"] == client_id
