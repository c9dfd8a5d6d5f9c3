"""Settings of ClickHouse's Kafka tables: which schema they name, and what has no effect."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from penstock.plan.script import plan_script
from penstock.plan.walk import scans
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from penstock.plan.query import ScriptPlan

_PROTO = Path(__file__).parents[1] / "formats" / "protobuf"


def _plan(format_name: str, settings: str) -> ScriptPlan:
    script = f"""
        CREATE TABLE q (str String) ENGINE = Kafka('h', 't', 'g', '{format_name}')
          SETTINGS {settings};
        CREATE MATERIALIZED VIEW v ENGINE = Log AS SELECT str FROM q;
    """
    return plan_script(parse(script, "clickhouse"), name="x")


def _decoded(format_name: str, settings: str) -> tuple[tuple[str, str], ...]:
    (query,) = _plan(format_name, settings).queries
    (scan,) = scans(query.input)
    return scan.spec.decoded


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("kafka_num_consumers = 2, kafka_max_block_size = 9, kafka_commit_every_batch = 0", []),
        ("kafka_thread_per_consumer = 1", ["kafka_thread_per_consumer"]),
        ("kafka_commit_every_batch = 1", ["kafka_commit_every_batch"]),
        ("kafka_keeper_path = '/a', kafka_replica_name = 'b'", ["kafka_keeper_path"]),
        (
            "kafka_poll_timeout_ms = 5, kafka_consumers_pool_ttl_ms = 600",
            ["kafka_poll", "pool_ttl"],
        ),
        (
            "kafka_handle_error_mode = 'stream', kafka_skip_broken_messages = 3",
            ["'kafka_handle_error_mode' = 'stream' no message is skipped"],
        ),
        ("format_csv_delimiter = ';', input_format_null_as_default = 0", []),
        (
            "output_format_json_quote_decimals = 1, input_format_csv_detect_header = 1, "
            "input_format_allow_errors_num = 3, kafka_format_avro_schema_registry_url = 'http://r'",
            [
                "'kafka_format_avro_schema_registry_url' has no effect here: the format 'CSV'",
                "output_format_json_quote_decimals' has no effect",
                "'input_format_csv_detect_header' has no effect",
                "'kafka_skip_broken_messages' says how many",
            ],
        ),
        (
            "schema_inference_use_cache_for_file = 0, json_type_escape_dots_in_keys = 1, "
            "column_names_for_schema_inference = 'a', errors_output_format = 'CSV'",
            [
                "'schema_inference_use_cache_for_file' has no effect",
                "'json_type_escape_dots_in_keys' has no effect",
                "'column_names_for_schema_inference' has no effect",
                "'errors_output_format' has no effect",
            ],
        ),
    ],
)
def test_settings_without_effect_are_told(settings: str, told: list[str]) -> None:
    notes = _plan("CSV", settings).notes
    assert len(notes) == len(told)
    assert all(any(text in note for note in notes) for text in told)


def test_the_schema_may_be_that_of_the_settings_of_formats() -> None:
    """As in ClickHouse, which gives `kafka_schema` to the format only where there is one."""
    own = f"kafka_schema = '{_PROTO}/clickhouse:M'"
    by_format = own.replace("kafka_schema", "format_schema")
    for settings in (by_format, f"{by_format}, kafka_schema = ''"):
        assert _decoded("Protobuf", settings) == _decoded("Protobuf", own)
        assert not _plan("Protobuf", settings).notes
    both = f"{own}, format_schema = 'other:M'"
    assert _decoded("Protobuf", both) == _decoded("Protobuf", own)
    for format_name, settings in (("Protobuf", both), ("CSV", by_format)):
        (note,) = _plan(format_name, settings).notes
        assert "'format_schema' has no effect here: 'kafka_schema' names" in note
