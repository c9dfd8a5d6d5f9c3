"""The `kafka` connector: a topic as an append-only table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.connectors.base import Connector, Metadata, ScanSpec, SinkSpec
from penstock.connectors.kafka_options import (
    CONSUMER_DEFAULTS,
    OPTIONS,
    PRODUCER_DEFAULTS,
    client_properties,
)
from penstock.connectors.kafka_specs import Bound, KafkaSource, KafkaTarget, Reading, Startup
from penstock.connectors.key_fields import read_key_fields
from penstock.errors import OptionError, PlanError
from penstock.formats.base import field
from penstock.model.types import BIGINT, BYTES, INT, STRING, TIMESTAMP_LTZ_3, DataType, quote
from penstock.sql.casts import cast

if TYPE_CHECKING:
    from penstock.formats.base import Format
    from penstock.model.option import OptionReader
    from penstock.model.span import Span

_SPECIFIC_OFFSET = re.compile(r"partition:(\d+),offset:(-?\d+)")
_HEADERS = DataType("MAP", children=(("key", STRING), ("value", BYTES)))


class Kafka(Connector):
    """Reads and writes one table's topic."""

    name = "kafka"
    HAS_BROKERS = True
    OPTIONS = tuple(OPTIONS.values())
    METADATA = (
        Metadata("topic", STRING, "topic"),
        Metadata("partition", INT, "partition"),
        Metadata(
            "headers",
            _HEADERS,
            "coalesce(map_from_entries(headers), CAST(map() AS MAP<STRING, BINARY>))",
            writable=True,
        ),
        Metadata("offset", BIGINT, "offset"),
        Metadata("timestamp", TIMESTAMP_LTZ_3, "timestamp", writable=True),
        Metadata(
            "timestamp-type",
            STRING,
            "CASE timestampType WHEN 0 THEN 'CreateTime' WHEN 1 THEN 'LogAppendTime' "
            "ELSE 'NoTimestampType' END",
        ),
    )

    def read(self, options: OptionReader) -> None:
        """Pull every option of the table."""
        options.pull(OPTIONS["connector"])
        self.topics: tuple[str, ...] = options.pull(OPTIONS["topic"]) or ()
        self.pattern: str | None = options.pull(OPTIONS["topic-pattern"])
        options.pull(OPTIONS["properties.bootstrap.servers"])
        self.startup = self._startup(options)
        self.bound = self._bound(options)
        self.key = read_key_fields(
            options, self.table, self.pull_format(options, OPTIONS["key.format"], "key.")
        )
        self.value = self._value_format(options)
        options.pull_rest(OPTIONS.values())
        self.properties = client_properties(self.table)
        options.pull_prefix("properties.")
        options.finish()
        self._check_topic()
        self._check_primary_key()
        self.value.check_types(self.value_fields)
        if self.key:
            self.key.format.check_types(self.key.fields)

    def scan(self) -> ScanSpec:
        """Decode key and value, then pick the columns."""
        decoded = [("__value", self.value.decode("value", self.value_fields))]
        if self.key:
            decoded.insert(0, ("__key", self.key.format.decode("key", self.key.fields)))
        uses_headers = any(c.metadata_key == "headers" for c in self.table.columns)
        properties = tuple({**CONSUMER_DEFAULTS, **dict(self.properties)}.items())
        source = KafkaSource(
            self.topics,
            self.pattern,
            properties,
            self.startup,
            self.bound,
            Reading(headers=uses_headers),
        )
        columns = tuple(self._scan_columns())
        return ScanSpec(source, tuple(decoded), columns, bounded=self.bound is not None)

    def sink(self) -> SinkSpec:
        """Encode value and key; one topic only."""
        if len(self.topics) != 1:
            raise PlanError("SINK_NEEDS_ONE_TOPIC", table=self.table.name)
        columns = [("value", self.value.encode([(n, quote(n)) for n, _ in self.value_fields]))]
        if self.key:
            names = self.key.message_names
            pairs = [(names[n], quote(n)) for n in self.key.columns]
            columns.append(("key", self.key.format.encode(pairs)))
        columns.extend(self._written_metadata())
        properties = {**PRODUCER_DEFAULTS, **dict(self.properties)}
        return SinkSpec(KafkaTarget(self.topics, None, tuple(properties.items())), tuple(columns))

    @property
    def value_fields(self) -> tuple[tuple[str, DataType], ...]:
        """The fields that stand in the value of a message."""
        if self.key and self.key.excluded_from_value:
            return tuple(f for f in self.table.physical if f[0] not in self.key.columns)
        return self.table.physical

    def _scan_columns(self) -> list[tuple[str, str, DataType]]:
        in_value = {name for name, _ in self.value_fields}
        columns = []
        for column in self.table.columns:
            if column.kind == "computed" or column.type is None:
                continue
            if column.kind == "metadata":
                metadata = self.metadata(column, purpose="reading")
                sql = cast(metadata.read, metadata.type, column.type, span=column.span)
            elif column.name in in_value:
                sql = field("__value", column.name)
            else:
                assert self.key  # noqa: S101 — a column outside the value is a key column
                sql = field("__key", self.key.message_names[column.name])
            columns.append((column.name, sql, column.type))
        return columns

    def _written_metadata(self) -> list[tuple[str, str]]:
        written = []
        for column in self.table.sink_columns:
            if column.kind != "metadata":
                continue
            metadata = self.metadata(column, purpose="writing")
            if metadata.key == "timestamp":
                raise PlanError(
                    "UNWRITABLE_TIMESTAMP",
                    span=column.span,
                    table=self.table.name,
                    column=column.name,
                )
            written.append((metadata.key, f"map_entries({quote(column.name)})"))
        return written

    def _value_format(self, options: OptionReader) -> Format:
        chosen = self.pull_format(options, OPTIONS["format"], "") or self.pull_format(
            options, OPTIONS["value.format"], "value."
        )
        if chosen is None:
            raise options.missing("format")
        return chosen

    def _startup(self, options: OptionReader) -> Startup:
        mode, timestamp, offsets = self._place(options, "startup")
        return Startup(
            mode,
            group_id=self.table.option("properties.group.id"),
            reset=self.table.option("properties.auto.offset.reset"),
            timestamp_ms=timestamp,
            offsets=offsets,
        )

    def _bound(self, options: OptionReader) -> Bound | None:
        mode, timestamp, offsets = self._place(options, "bounded")
        if mode == "group-offsets" and not self.table.option("properties.group.id"):
            raise OptionError(
                "CONFLICTING_OPTIONS",
                table=self.table.name,
                conflict="Property group.id is required when using committed offset for offsets "
                "initializer.",
                instead="Add 'properties.group.id' to the WITH clause.",
            )
        return None if mode == "unbounded" else Bound(mode, timestamp, offsets)

    def _place(
        self, options: OptionReader, end: str
    ) -> tuple[str, int | None, tuple[tuple[int, int], ...]]:
        """`scan.startup.*` or `scan.bounded.*`: the mode, a time, offsets."""
        mode: str = options.pull(OPTIONS[f"scan.{end}.mode"]) or ""
        timestamp = options.pull(OPTIONS[f"scan.{end}.timestamp-millis"])
        offsets = options.pull(OPTIONS[f"scan.{end}.specific-offsets"])
        for needed, key, value in (
            ("timestamp", f"scan.{end}.timestamp-millis", timestamp),
            ("specific-offsets", f"scan.{end}.specific-offsets", offsets),
        ):
            if mode == needed and value is None:
                raise OptionError(
                    "CONFLICTING_OPTIONS",
                    table=self.table.name,
                    conflict=f"'{key}' is required in '{needed}' {end} mode but missing.",
                    instead="Add it to the WITH clause.",
                )
        if mode != "specific-offsets":
            return mode, timestamp, ()
        key = f"scan.{end}.specific-offsets"
        return mode, timestamp, self._specific_offsets(key, offsets or "", options.span(key))

    def _specific_offsets(
        self, key: str, text: str, span: Span | None
    ) -> tuple[tuple[int, int], ...]:
        parts = [_SPECIFIC_OFFSET.fullmatch(part) for part in text.rstrip(";").split(";")]
        if not all(parts) or len(self.topics) != 1:
            raise OptionError(
                "INVALID_OPTION_VALUE",
                span=span,
                table=self.table.name,
                option=key,
                value=text,
                expected="one topic, and 'partition:0,offset:42;partition:1,offset:300'",
            )
        return tuple((int(match[1]), int(match[2])) for match in parts if match)

    def _check_topic(self) -> None:
        if not all(self.topics):
            problem = "Option 'topic' has an empty name."
        elif self.topics and self.pattern:
            problem = "Option 'topic' and 'topic-pattern' shouldn't be set together."
        elif not self.topics and not self.pattern:
            problem = "Either 'topic' or 'topic-pattern' must be set."
        else:
            return
        raise OptionError(
            "CONFLICTING_OPTIONS",
            table=self.table.name,
            conflict=problem,
            instead="Set exactly one of them.",
        )

    def _check_primary_key(self) -> None:
        if self.table.primary_key:
            raise OptionError(
                "CONFLICTING_OPTIONS",
                span=self.table.span,
                table=self.table.name,
                conflict=f"The Kafka table '{self.table.name}' with '{self.value.name}' format "
                "doesn't support defining PRIMARY KEY constraint on the table, because it can't "
                "guarantee the semantic of primary key.",
                instead="Remove the PRIMARY KEY.",
            )
