"""ClickHouse's system tables: rows that are known when a query is planned, or when it is run."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from penstock.connectors.base import Connector, ScanSpec, Source
from penstock.connectors.kafka_specs import KafkaSource, Properties, Reading, Startup
from penstock.model.table import Column, Table
from penstock.model.types import quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from penstock.model.option import OptionReader
    from penstock.model.types import Fields

# What the names of these tables begin with.
SYSTEM = "system."
# The columns of a message, for a topic that is not there yet.
MESSAGE = (
    "key BINARY, value BINARY, headers ARRAY<STRUCT<key: STRING, value: BINARY>>, "
    "timestamp TIMESTAMP"
)
_HEADER = "element_at(filter(__letter.headers, h -> h.key = 'penstock.{0}'), -1).value"
_TEXT = f"CAST({_HEADER} AS STRING)"
_LETTER = "named_struct('key', key, 'value', value, 'headers', headers, 'timestamp', timestamp)"
# Marks of what was sent again stand in the same topic, and are no letters.
_LETTERS = (
    f"filter(array({_LETTER}), l -> exists(l.headers, h -> h.key = 'penstock.error') "
    "AND NOT exists(l.headers, h -> h.key = 'penstock.replayed'))"
)
_LETTER_COLUMNS = {
    "event_time_microseconds": "__letter.timestamp",
    "error": _TEXT.format("error"),
    "raw_message": "coalesce(CAST(__letter.value AS STRING), '')",
    "kafka_topic_name": _TEXT.format("topic"),
    "kafka_partition": f"CAST({_TEXT.format('partition')} AS DECIMAL(20, 0))",
    "kafka_offset": f"CAST({_TEXT.format('offset')} AS DECIMAL(20, 0))",
    "kafka_key": "coalesce(CAST(__letter.key AS STRING), '')",
}


@dataclass(frozen=True, slots=True)
class RowsSource(Source):
    """Rows as JSON, of columns that `schema` names in Spark's words."""

    name: str
    schema: str
    rows: str = field(default="[]", repr=False)

    def describe(self) -> str:
        """What they are."""
        return f"system table {self.name}"

    def identity(self) -> object:
        """They are asked for anew each time."""
        return self.name


@dataclass(frozen=True, slots=True)
class Consumer:
    """A Kafka table that views read: whom to ask for its offsets, and what runs it.

    `waiting` are the reasons for which views wait, `missing` the tables that they lack to fill.
    """

    database: str
    table: str
    id: str
    group: str
    topics: tuple[str, ...]
    properties: Properties = field(repr=False)
    views: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ConsumersSource(Source):
    """What is known of Kafka tables while a query is run; `folder` is the state of their views."""

    consumers: tuple[Consumer, ...]
    folder: str
    schema: str

    def describe(self) -> str:
        """What they are."""
        return "system table kafka_consumers"

    def identity(self) -> object:
        """They are asked for anew each time."""
        return "kafka_consumers"


class SystemTable(Connector):
    """A table that is only read."""

    name = "system"
    IN_WITH = False
    OPTIONS = ()

    def __init__(self, name: str, fields: Fields, rows: Sequence[Mapping[str, object]]) -> None:
        super().__init__(_table(name, fields))
        self.fields = fields
        self.source: Source = RowsSource(
            self.table.name, schema_of(fields), json.dumps(list(rows), ensure_ascii=False)
        )

    def read(self, options: OptionReader) -> None:
        """It has no options."""

    def scan(self) -> ScanSpec:
        """All rows."""
        columns = tuple((name, quote(name), type_) for name, type_ in self.fields)
        return ScanSpec(self.source, (), columns, bounded=True)


class LetterTable(SystemTable):
    """The dead letters of one Kafka table."""

    def __init__(self, name: str, fields: Fields, topic: str, properties: Properties) -> None:
        super().__init__(name, fields, ())
        reading = Reading(headers=True, commits_bounded=False)
        startup = Startup("earliest-offset", by_option=False)
        self.source = KafkaSource((topic,), None, properties, startup, reading=reading)

    def scan(self) -> ScanSpec:
        """A row for each letter."""
        columns = tuple((name, _LETTER_COLUMNS[name], type_) for name, type_ in self.fields)
        return ScanSpec(self.source, (("__letter", _LETTERS),), columns, bounded=True)


def schema_of(fields: Fields) -> str:
    """The columns as Spark declares them."""
    return ", ".join(f"{quote(name)} {type_.spark_sql()}" for name, type_ in fields)


def _table(name: str, fields: Fields) -> Table:
    columns = tuple(Column(column, "physical", type_) for column, type_ in fields)
    return Table(f"{SYSTEM}{name}", columns)
