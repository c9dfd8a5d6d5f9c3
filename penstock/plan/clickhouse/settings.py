"""What SET may say in a ClickHouse script: what has an effect, what is only accepted."""

from __future__ import annotations

import difflib
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.connectors.clickhouse_kafka import ClickHouseKafka
from penstock.connectors.clickhouse_names import (
    SESSION,
    check_format_settings,
    check_storage_settings,
    known_names,
)
from penstock.connectors.clickhouse_notes import storage_settings
from penstock.connectors.inline import FORMAT_SETTINGS
from penstock.connectors.merge_tree import LIFETIME, MergeTree
from penstock.errors import OptionError
from penstock.model.option import OptionValue
from penstock.plan.settings import (
    CLICKHOUSE_SETTINGS,
    DIRECT_SELECT,
    FLUSH_INTERVAL,
    JOIN_NULLS,
    check_value,
)
from penstock.sql.clickhouse.query_settings import settings_of, with_settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from penstock.model.span import Span
    from penstock.model.table import Table
    from penstock.plan.planning import Planning

# Accepted, and named as without effect: setting → why
_HOW = (
    *("max_threads", "max_insert_threads", "max_memory_usage", "max_execution_time"),
    *("max_block_size", "max_insert_block_size", "min_insert_block_size_rows"),
    *("min_insert_block_size_bytes", "stream_poll_timeout_ms"),
    *("kafka_max_wait_ms", "send_logs_level", "mutations_sync", "lightweight_deletes_sync"),
    *("alter_sync", "allow_experimental_lightweight_delete", "enable_lightweight_delete"),
    *("insert_quorum", "insert_quorum_timeout", "insert_deduplicate", "async_insert"),
    *("wait_for_async_insert", "parallel_view_processing", "log_queries", "optimize_read_in_order"),
    *(
        "allow_experimental_kafka_offsets_storage_in_keeper",
        "deduplicate_blocks_in_dependent_materialized_views",
    ),
)
_ACCEPTED = {
    **dict.fromkeys(_HOW, "it says how ClickHouse works, not what comes out"),
    "optimize_on_insert": "rows of one INSERT stay apart until FINAL or OPTIMIZE merges them",
    "output_format_write_statistics": "answers have no statistics",
}


def format_settings(
    session: Mapping[str, str], own: Sequence[OptionValue] = ()
) -> tuple[OptionValue, ...]:
    """What SET and the statement itself say of formats."""
    said = {key: OptionValue(key, value) for key, value in session.items()}
    said |= {value.key: value for value in own}
    return tuple(value for key, value in said.items() if key in FORMAT_SETTINGS)


def note_settings(planning: Planning, values: Sequence[OptionValue]) -> None:
    """Tell what is only accepted."""
    for value in values:
        if value.key in _ACCEPTED:
            reason = _ACCEPTED[value.key]
            planning.note(f"the setting '{value.key}' has no effect here: {reason}", value.span)


def with_session(planning: Planning, query: exp.Query) -> exp.Query:
    """A query with what SET says of its joins; its own words go over it."""
    said = planning.settings.get(JOIN_NULLS)
    return with_settings(query.copy(), (OptionValue(JOIN_NULLS, said),)) if said else query


def check_view_settings(planning: Planning, query: exp.Query, span: Span | None) -> None:
    """Refuse SET of what a view must say itself: whoever runs it later knows nothing of a SET."""
    own = settings_of(query)
    check_settings(own)
    said = planning.settings.get(JOIN_NULLS, "0")
    joins = any(join.side for join in query.find_all(exp.Join))
    if said in ("1", "true") and joins and not any(one.key == JOIN_NULLS for one in own):
        instead = f"Write SETTINGS {JOIN_NULLS} = {said} behind the query of the view."
        raise _not_followed(OptionValue(JOIN_NULLS, said, span), instead)


def without_session_settings(planning: Planning, table: Table) -> Table:
    """A Kafka table without the settings of a session among its own, which ClickHouse takes, too.

    They are for the statement: nothing of them stays.
    """
    if not any(option.key == "engine" and option.value == "Kafka" for option in table.options):
        return table
    own = tuple(o for o in table.options if o.key not in (*CLICKHOUSE_SETTINGS, *_ACCEPTED))
    others = [option for option in table.options if option not in own]
    check_settings(others)
    note_settings(planning, others)
    for option in others:
        if option.key in (FLUSH_INTERVAL, DIRECT_SELECT):
            reason = "it is for statements that follow a SET"
            planning.note(f"the setting '{option.key}' has no effect here: {reason}", option.span)
    return replace(table, options=own)


def check_table_settings(planning: Planning, name: str, options: Sequence[OptionValue]) -> None:
    """Refuse what ClickHouse does not know; tell what is set of a table at rest and does nothing.

    Only of statements of the script: what a warehouse knows was taken once.
    """
    path = planning.catalog.path(name)
    connector = planning.catalog.entries_at(path)
    if isinstance(connector, ClickHouseKafka):
        check_format_settings(path.shown, options)
    if isinstance(connector, MergeTree):
        settings = storage_settings(options)
        check_storage_settings(path.shown, settings)
        for one in settings:
            reason = "how rows are stored is Delta's"
            text = f"table `{path.shown}`: the setting '{one.key}' has no effect here: {reason}"
            planning.note(text, one.span)
        for one in options:
            if one.key == LIFETIME.key and int(one.value) < connector.lifetime_s:
                least = f"files are kept for {connector.lifetime_s} seconds at least"
                text = f"table `{path.shown}`: '{one.key}' is {one.value}: {least}"
                planning.note(text, one.span)


def check_settings(values: Sequence[OptionValue]) -> None:
    """Refuse a setting that nobody knows, or that would change results and is not followed."""
    effective = {**CLICKHOUSE_SETTINGS, **FORMAT_SETTINGS}
    known = (*effective, *_ACCEPTED)
    for value in values:
        if value.key in effective:
            check_value(effective[value.key], value.value, value.span)
        elif value.key not in known and value.key in known_names(SESSION):
            raise _not_followed(value, "Leave it out, or write what it would change in the query.")
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


def _not_followed(value: OptionValue, instead: str) -> OptionError:
    return OptionError(
        "UNSUPPORTED_SETTING", span=value.span, key=value.key, value=value.value, instead=instead
    )
