"""What SET may say in a ClickHouse script: what has an effect, what is only accepted."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from penstock.connectors.inline import FORMAT_SETTINGS
from penstock.errors import OptionError
from penstock.model.option import OptionValue
from penstock.plan.settings import CLICKHOUSE_SETTINGS, check_value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# How ClickHouse works, not what comes out: accepted, and named as without effect.
_ACCEPTED = (
    *("max_threads", "max_insert_threads", "max_memory_usage", "max_execution_time"),
    *("max_block_size", "max_insert_block_size", "min_insert_block_size_rows"),
    *("min_insert_block_size_bytes", "stream_poll_timeout_ms"),
    *("kafka_max_wait_ms", "send_logs_level"),
    *("insert_quorum", "insert_quorum_timeout", "insert_deduplicate", "async_insert"),
    *("wait_for_async_insert", "parallel_view_processing", "log_queries", "optimize_read_in_order"),
    *(
        "allow_experimental_kafka_offsets_storage_in_keeper",
        "deduplicate_blocks_in_dependent_materialized_views",
    ),
)


def format_settings(
    session: Mapping[str, str], own: Sequence[OptionValue] = ()
) -> tuple[OptionValue, ...]:
    """What SET and the statement itself say of formats."""
    said = {key: OptionValue(key, value) for key, value in session.items()}
    said |= {value.key: value for value in own}
    return tuple(value for key, value in said.items() if key in FORMAT_SETTINGS)


def check_settings(values: Sequence[OptionValue]) -> None:
    """Refuse a setting that nobody knows, or that would change results and is not followed."""
    effective = {**CLICKHOUSE_SETTINGS, **FORMAT_SETTINGS}
    known = (*effective, *_ACCEPTED)
    for value in values:
        if value.key in effective:
            check_value(effective[value.key], value.value, value.span)
        elif value.key not in known:
            near = difflib.get_close_matches(value.key, known, n=1)
            raise OptionError(
                "UNKNOWN_SETTING",
                span=value.span,
                key=value.key,
                did_you_mean=f" Did you mean '{near[0]}'?" if near else "",
                known=", ".join(f"'{name}'" for name in known if name not in FORMAT_SETTINGS)
                + ", those of formats",
            )
