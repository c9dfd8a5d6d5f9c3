"""The settings of ClickHouse's Kafka tables, declared once, with the places of its arguments."""

from __future__ import annotations

from typing import Any

from penstock.formats.clickhouse.base import flag
from penstock.model.option import Option, one_of, text


def _count(value: str) -> int:
    if not value.isdigit():
        raise ValueError("a whole number")
    return int(value)


def _positive(value: str) -> int:
    if not value.isdigit() or int(value) == 0:
        raise ValueError("a whole number greater than zero")
    return int(value)


def _byte(value: str) -> int:
    if not value.isdigit() or int(value) > 255:
        raise ValueError("a whole number from 0 to 255")
    return int(value)


def _integer(value: str) -> int:
    if not value.removeprefix("-").isdigit():
        raise ValueError("a whole number")
    return int(value)


def _names(value: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in value.split(","))
    if not all(names):
        raise ValueError("names separated by commas")
    return names


_HANDLE = one_of("default", "stream", "dead_letter_queue")
_CODEC = one_of("", "none", "gzip", "snappy", "lz4", "zstd")
_PROTOCOL = one_of("", "plaintext", "ssl", "sasl_plaintext", "sasl_ssl")

_DECLARED: tuple[Option[Any], ...] = (
    Option("kafka_broker_list", text, None, "Brokers, separated by commas.", required=True),
    Option("kafka_topic_list", _names, None, "Topics, separated by commas.", required=True),
    Option("kafka_group_name", text, None, "Consumer group.", required=True),
    Option("kafka_format", text, None, "Format of the messages; case matters.", required=True),
    Option(
        "kafka_schema",
        text,
        "",
        "`file:Message` of Protobuf and Cap'n Proto; else `format_schema` is.",
    ),
    Option(
        "kafka_schema_registry_skip_bytes",
        _byte,
        0,
        "So many bytes are dropped from the beginning of each message.",
        "UInt8",
    ),
    Option(
        "kafka_num_consumers",
        _positive,
        None,
        "So many tasks read at most; else one for each partition.",
        "UInt64",
    ),
    Option(
        "kafka_max_block_size",
        _positive,
        None,
        "At most so many messages are read per micro-batch; else all there are.",
        "UInt64",
    ),
    Option(
        "kafka_skip_broken_messages",
        _count,
        0,
        "So many messages, or rows of them, of a micro-batch may be unreadable: they are left out.",
        "UInt64",
    ),
    Option(
        "kafka_commit_every_batch",
        flag,
        False,
        "Accepted: offsets are committed once the rows are written.",
        "Bool",
    ),
    Option(
        "kafka_client_id",
        text,
        "",
        "Client id of the consumers; else `ClickHouse-<host>-<database>-<table>`.",
    ),
    Option(
        "kafka_poll_timeout_ms", _count, None, "Accepted: Spark polls by itself.", "Milliseconds"
    ),
    Option("kafka_poll_max_batch_size", _count, None, "Messages per poll, at most.", "UInt64"),
    Option(
        "kafka_flush_interval_ms",
        _count,
        None,
        "A micro-batch waits so long for a whole block; else it begins with the first message.",
        "Milliseconds",
    ),
    Option(
        "kafka_consumer_reschedule_ms",
        _count,
        500,
        "Accepted: Spark polls by itself.",
        "Milliseconds",
    ),
    Option(
        "kafka_consumers_pool_ttl_ms",
        _count,
        60000,
        "Accepted: Spark keeps its consumers.",
        "Milliseconds",
    ),
    Option(
        "kafka_consumer_acquire_timeout_ms",
        _count,
        30000,
        "Accepted: Spark keeps its consumers.",
        "Milliseconds",
    ),
    Option(
        "kafka_thread_per_consumer",
        flag,
        False,
        "Accepted: Spark reads each partition with one task.",
        "Bool",
    ),
    Option(
        "kafka_handle_error_mode",
        _HANDLE,
        "default",
        "What becomes of a message that cannot be read.",
        "Enum",
    ),
    Option(
        "penstock_dead_letter_topic",
        text,
        "",
        "Topic of the messages that cannot be read; else `<first topic>.dead-letters`.",
    ),
    Option(
        "kafka_commit_on_select",
        flag,
        False,
        "A query that reads the table directly commits its offsets.",
        "Bool",
    ),
    Option(
        "kafka_max_rows_per_message",
        _positive,
        1,
        "INSERT: rows that share a message, at most; those of one task, in their order.",
        "UInt64",
    ),
    Option("kafka_compression_codec", _CODEC, "", "INSERT: compression.", "Enum"),
    Option("kafka_compression_level", _integer, -1, "INSERT: level of compression.", "Int64"),
    Option(
        "kafka_map_virtual_columns_on_write",
        flag,
        False,
        "INSERT: `_key`, `_timestamp` and `_headers.…` are in the message, not in its payload.",
        "Bool",
    ),
    Option("kafka_security_protocol", _PROTOCOL, "", "How the broker is spoken to.", "Enum"),
    Option("kafka_sasl_mechanism", text, "", "SASL mechanism."),
    Option("kafka_sasl_username", text, "", "SASL user name."),
    Option("kafka_sasl_password", text, "", "SASL password.", secret=True),
    Option("penstock_credentials", text, "", "Named credentials with the client's properties."),
    Option("kafka_autodetect_client_rack", text, "", "Accepted: Spark asks the leader."),
    Option("kafka_format_avro_schema_registry_url", text, "", "Schema registry of AvroConfluent."),
    Option("kafka_keeper_path", text, "", "Accepted: a view keeps its offsets in its checkpoint."),
    Option("kafka_replica_name", text, "", "Accepted, together with `kafka_keeper_path`."),
    Option("kafka_row_delimiter", text, "", "Accepted and ignored, as in ClickHouse."),
)
SETTINGS = {option.key: option for option in _DECLARED}

# What the arguments of Kafka(…) set, in order; the fifth is ignored by ClickHouse too.
ARGUMENTS = (
    "kafka_broker_list",
    "kafka_topic_list",
    "kafka_group_name",
    "kafka_format",
    "kafka_row_delimiter",
    "kafka_schema",
    "kafka_num_consumers",
    "kafka_max_block_size",
    "kafka_skip_broken_messages",
    "kafka_commit_every_batch",
    "kafka_client_id",
    "kafka_poll_timeout_ms",
    "kafka_flush_interval_ms",
    "kafka_thread_per_consumer",
    "kafka_handle_error_mode",
    "kafka_commit_on_select",
    "kafka_max_rows_per_message",
)
# The settings of a table in which `{database}` and `{table}` are filled in.
WITH_MACROS = (
    "kafka_broker_list",
    "kafka_topic_list",
    "kafka_group_name",
    "kafka_client_id",
    "kafka_schema",
)
# What ClickHouse calls a client property → what the client calls it.
CLIENT_PROPERTIES = {
    "kafka_client_id": "client.id",
    "kafka_security_protocol": "security.protocol",
    "kafka_sasl_mechanism": "sasl.mechanism",
}
# How the settings begin that belong to the format of the messages.
FORMAT_PREFIXES = (
    *("format_", "input_format_", "output_format_", "date_time_", "bool_"),
    *("schema_inference_", "column_names_for_schema_inference", "json_type_", "type_json_"),
    *("errors_output_format", "interval_output_format", "precise_float_parsing"),
    "max_dynamic_subcolumns_in_json_type_parsing",
)
# The setting of formats that names a schema where `kafka_schema` does not.
FORMAT_SCHEMA = "format_schema"
