"""ClickHouse's system tables, as they stand at one point of a script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.catalog.paths import DEFAULT_CATALOG, DEFAULT_DATABASE, Path
from penstock.connectors.clickhouse_kafka import ClickHouseKafka
from penstock.connectors.system import (
    Consumer,
    ConsumersSource,
    LetterTable,
    SystemTable,
    schema_of,
)
from penstock.plan.clickhouse.listing import column_rows, database_rows, table_rows
from penstock.plan.clickhouse.needs import missing_target, read_by, reasons
from penstock.plan.clickhouse.rewrite import rewrite
from penstock.plan.walk import scans
from penstock.sql.clickhouse.dialect import ClickHouse
from penstock.sql.clickhouse.type_reader import type_of
from penstock.sql.statements import CreateView

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.connectors.base import Connector
    from penstock.model.types import Fields
    from penstock.plan.planning import Planning

DATABASE = "system"
_LETTERS = "dead_letter_queue"


def _fields(declared: str) -> Fields:
    pairs = (column.strip().split(" ", 1) for column in declared.split("|"))
    return tuple((name, type_of(type_, name)) for name, type_ in pairs)


TABLES = _fields(
    "database String|name String|uuid UUID|engine String|is_temporary UInt8"
    "|data_paths Array(String)|dependencies_database Array(String)|dependencies_table Array(String)"
    "|create_table_query String|engine_full String|as_select String|partition_key String"
    "|sorting_key String|primary_key String|sampling_key String|comment String"
)
COLUMNS = _fields(
    "database String|table String|name String|type String|position UInt64|default_kind String"
    "|default_expression String|comment String|is_in_partition_key UInt8|is_in_sorting_key UInt8"
    "|is_in_primary_key UInt8|is_in_sampling_key UInt8"
)
DATABASES = _fields("name String|engine String|comment String")
_ONE = _fields("dummy UInt8")
CONSUMERS = _fields(
    "database String|table String|consumer_id String|assignments.topic Array(String)"
    "|assignments.partition_id Array(Int32)|assignments.current_offset Array(Int64)"
    "|assignments.intent_size Array(Nullable(Int64))|exceptions.time Array(DateTime)"
    "|exceptions.text Array(String)|last_poll_time DateTime|num_messages_read UInt64"
    "|last_commit_time DateTime|num_commits UInt64|last_rebalance_time DateTime"
    "|num_rebalance_revocations UInt64|num_rebalance_assignments UInt64|is_currently_used UInt8"
    "|last_used DateTime64(6)|rdkafka_stat String|dependencies Array(Array(String))"
    "|missing_dependencies Array(Array(String))"
)
_LETTER = _fields(
    "event_time_microseconds DateTime64(6)|error String|raw_message String|kafka_topic_name String"
    "|kafka_partition UInt64|kafka_offset UInt64|kafka_key String"
)
# A message that several views could not read is one row, as in ClickHouse.
_LETTER_QUERY = """
SELECT CAST('Kafka', 'Enum8(\\'Kafka\\' = 1, \\'RabbitMQ\\' = 2)') AS table_engine,
    toDate(event_time_microseconds) AS event_date,
    toDateTime(event_time_microseconds) AS event_time, event_time_microseconds,
    '{database}' AS database, '{table}' AS table, error, raw_message,
    kafka_topic_name, kafka_partition, kafka_offset, kafka_key, '' AS rabbitmq_exchange_name,
    '' AS rabbitmq_message_id, toDateTime(0) AS rabbitmq_message_timestamp,
    toUInt8(0) AS rabbitmq_message_redelivered, toUInt64(0) AS rabbitmq_message_delivery_tag,
    '' AS rabbitmq_channel_id
FROM system.`{source}` ORDER BY event_time_microseconds
LIMIT 1 BY kafka_topic_name, kafka_partition, kafka_offset
"""


def know_system(planning: Planning, query: exp.Query) -> None:
    """Make the system tables known to the planning of a query that names one."""
    if any(table.db == DATABASE for table in query.find_all(exp.Table)):
        with planning.catalog.namespace.using():
            planning.catalog.virtual = _tables(planning)
            found = _letters(planning)
        letters = CreateView("", (), found, if_not_exists=False, span=None)  # type: ignore[arg-type]
        planning.catalog.virtual[_path(_LETTERS)] = letters


def _path(name: str) -> Path:
    return Path(DEFAULT_CATALOG, DATABASE, name)


def _tables(planning: Planning) -> dict[Path, Connector | CreateView]:
    consumers = SystemTable("kafka_consumers", CONSUMERS, ())
    warehouse = planning.kept.warehouse
    folder = str(warehouse.path) if warehouse else ""
    consumers.source = ConsumersSource(_consumers(planning), folder, schema_of(CONSUMERS))
    found: dict[Path, Connector | CreateView] = {
        _path("tables"): SystemTable("tables", TABLES, table_rows(planning)),
        _path("columns"): SystemTable("columns", COLUMNS, column_rows(planning)),
        _path("databases"): SystemTable("databases", DATABASES, database_rows(planning)),
        _path("kafka_consumers"): consumers,
        _path("one"): SystemTable("one", _ONE, [{"dummy": 0}]),
    }
    nothing = SystemTable("__letters", _LETTER, ())
    found[_path("__letters")] = nothing
    for at, table in enumerate(_with_letters(planning).values()):
        reading = table.scan().source
        topic = reading.reading.failures.topic or ""  # type: ignore[attr-defined]
        properties = reading.properties  # type: ignore[attr-defined]
        name = _LETTERS_OF.format(at)
        found[_path(name)] = LetterTable(name, _LETTER, topic, properties)
    return found


# The letters of one table, by its place: its name may have its database before it.
_LETTERS_OF = "__letters_{0}"


def _with_letters(planning: Planning) -> Mapping[str, ClickHouseKafka]:
    mode = "kafka_handle_error_mode"
    tables = (t for t in planning.catalog.tables if isinstance(t, ClickHouseKafka))
    return {t.table.name: t for t in tables if t.settings[mode] == "dead_letter_queue"}


def _letters(planning: Planning) -> exp.Query:
    """The letters of all tables as one table."""
    names = enumerate(_with_letters(planning))
    parts = [_part(planning, name, _LETTERS_OF.format(at)) for at, name in names]
    text = " UNION ALL ".join(f"SELECT * FROM ({part})" for part in parts)  # noqa: S608 — names only
    empty = _LETTER_QUERY.format(database="", table="", source="__letters")
    parsed = ClickHouse().parse(text or empty)[0]
    assert isinstance(parsed, exp.Query)  # noqa: S101 — it is our own text
    return rewrite(parsed, planning.catalog)


def _part(planning: Planning, name: str, source: str) -> str:
    path = planning.catalog.path(name)
    return _LETTER_QUERY.format(
        database=shown_database(path.database), table=path.name, source=source
    )


def _consumers(planning: Planning) -> tuple[Consumer, ...]:
    found = []
    for table in planning.catalog.tables:
        if not isinstance(table, ClickHouseKafka):
            continue
        name = table.table.name
        path, views = planning.catalog.path(name), planning.views
        readers = tuple(
            query.id
            for query in planning.queries
            if query.id in views and name in {scan.table for scan in scans(query.input)}
        )
        settings = table.settings
        source = table.scan().source
        found.append(
            Consumer(
                shown_database(path.database),
                path.name,
                table.client_id,
                settings["kafka_group_name"],
                tuple(settings["kafka_topic_list"]),
                source.properties,  # type: ignore[attr-defined]
                readers,
                *_waiting(planning, name),
            )
        )
    return tuple(found)


def _waiting(planning: Planning, table: str) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Why views of a table wait that are attached, and the tables that they lack to fill."""
    attached = (view for view in planning.views if view not in planning.catalog.detached)
    views = [view for view in attached if table in read_by(planning, view)]
    why = ((view, ", ".join(reasons(planning, view))) for view in views)
    paths = (missing_target(planning, view) for view in views)
    return (
        tuple(f"The view `{view}` waits: {reason}." for view, reason in why if reason),
        tuple((shown_database(path.database), path.name) for path in paths if path),
    )


def shown_database(name: str) -> str:
    """The catalog's own database is ClickHouse's `default`."""
    return "default" if name == DEFAULT_DATABASE else name
