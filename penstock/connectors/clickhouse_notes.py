"""What the settings of a ClickHouse table do not change here, said where the script sets them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from penstock.connectors.clickhouse_settings import FORMAT_PREFIXES, FORMAT_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from penstock.formats.clickhouse.base import ClickHouseFormat
    from penstock.model.option import OptionValue
    from penstock.model.span import Span

_POLLS = "Spark polls by itself"
_POOL = "Spark keeps its consumers"
# setting → why it has no effect; one that is off has none to begin with
_NOTES = {
    "kafka_autodetect_client_rack": "messages are read from the leader",
    "kafka_commit_every_batch": "offsets are committed once the rows are written, so that none is "
    "lost",
    "kafka_consumer_acquire_timeout_ms": _POOL,
    "kafka_consumer_reschedule_ms": _POLLS,
    "kafka_consumers_pool_ttl_ms": _POOL,
    "kafka_keeper_path": "a view keeps its offsets in its checkpoint",
    "kafka_poll_timeout_ms": _POLLS,
    "kafka_thread_per_consumer": "tasks read and write side by side in any case",
}
_SKIPPED = "kafka_skip_broken_messages"
# In front of a setting of formats that ClickHouse has for Kafka tables as well.
_TABLES_OWN = "kafka_"
# setting of formats → what is said instead
_INSTEAD = {
    FORMAT_SCHEMA: "'kafka_schema' names the file and the message",
    **dict.fromkeys(
        ("input_format_allow_errors_num", "input_format_allow_errors_ratio"),
        f"'{_SKIPPED}' says how many messages may be unreadable",
    ),
}
# What a table at rest says of itself beside such settings, and the settings that count.
_CLAUSES = {
    *("connector", "engine", "order_by", "primary_key", "partition_by", "sample_by", "ttl"),
    *("allow_nullable_key", "allow_summing_columns_in_partition_or_order_key"),
    "old_parts_lifetime",
}


def storage_settings(options: Iterable[OptionValue]) -> list[OptionValue]:
    """The settings of a table at rest that do nothing here; clauses are none."""
    return [o for o in options if o.key not in _CLAUSES and not o.key.startswith("engine.")]


def setting_notes(
    written: Mapping[str, OptionValue], settings: Mapping[str, Any]
) -> Iterator[tuple[str, Span | None]]:
    """One note for each such setting."""
    for key, option in written.items():
        if key in _NOTES and settings[key]:
            yield f"the setting '{key}' has no effect here: {_NOTES[key]}", option.span
    mode = settings["kafka_handle_error_mode"]
    if settings[_SKIPPED] and mode != "default":
        reason = f"with 'kafka_handle_error_mode' = '{mode}' no message is skipped"
        yield f"the setting '{_SKIPPED}' has no effect here: {reason}", written[_SKIPPED].span


def format_notes(
    written: Mapping[str, OptionValue], format_: type[ClickHouseFormat]
) -> Iterator[tuple[str, Span | None]]:
    """One note for each setting of formats that means nothing to the format of the table."""
    followed = {option.key for option in format_.OPTIONS}
    named = written.get("kafka_schema")
    if format_.HAS_SCHEMA and not (named and named.value):
        followed.add(FORMAT_SCHEMA)
    for key, option in written.items():
        own = key.removeprefix(_TABLES_OWN)
        if own.startswith(FORMAT_PREFIXES) and own not in followed:
            reason = _INSTEAD.get(own, f"the format '{format_.name}' does not follow it")
            yield f"the setting '{key}' has no effect here: {reason}", option.span
