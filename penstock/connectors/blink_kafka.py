"""Blink's `kafka08` … `kafka011`: messages as they are, the key and the value as bytes."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from penstock.connectors.base import Connector, ScanSpec, SinkSpec
from penstock.connectors.blink_options import MODES, OPTIONS, RENAMED, RESETS, WITHOUT_EFFECT
from penstock.connectors.kafka_login import client_value
from penstock.connectors.kafka_properties import CONSUMER_DEFAULTS, PRODUCER_DEFAULTS
from penstock.connectors.kafka_specs import KafkaSource, KafkaTarget, Reading, Startup
from penstock.errors import OptionError, PlanError
from penstock.model.option import OptionValue
from penstock.model.types import BIGINT, BYTES, INT, STRING, TIMESTAMP_LTZ_3, quote
from penstock.sql.casts import cast

if TYPE_CHECKING:
    from penstock.model.option import OptionReader
    from penstock.model.span import Span
    from penstock.model.table import Column, Table

KEY, VALUE = "messageKey", "message"
# column → its type, what it is of a record
_COLUMNS = {
    KEY: (BYTES, "key"),
    VALUE: (BYTES, "value"),
    "topic": (STRING, "topic"),
    "partition": (INT, "partition"),
    "offset": (BIGINT, "offset"),
    "timestamp": (TIMESTAMP_LTZ_3, "timestamp"),
}
_PROPERTY = re.compile(r"[a-z][a-z0-9]*(\.[a-z0-9]+)+")


class BlinkKafka(Connector):
    """A topic; subclasses name the version, which makes no difference any more."""

    name = "kafka010"
    HAS_BROKERS = True
    PROPERTY_PREFIX = ""
    OPTIONS = tuple(OPTIONS.values())

    def __init__(self, table: Table, folders: tuple[str, ...] = ()) -> None:
        options = tuple(_spelled(option) for option in table.options)
        # A key says which column is the message's key, not that each message has one.
        columns = tuple(
            replace(c, type=c.type.as_nullable()) if c.type else c for c in table.columns
        )
        super().__init__(replace(table, options=options, columns=columns), folders)

    def read(self, options: OptionReader) -> None:
        """Pull every option of the table."""
        options.pull(OPTIONS["connector"])
        self.topics: tuple[str, ...] = options.pull(OPTIONS["topic"]) or ()
        self.pattern: str | None = options.pull(OPTIONS["topicPattern"])
        if bool(self.topics) == bool(self.pattern):
            raise options.missing("topic")
        self.brokers = self._brokers(options)
        discovery_ms = options.pull(OPTIONS["partitionDiscoveryIntervalMS"])
        self.reading = Reading() if discovery_ms is None else Reading(discovery_ms=discovery_ms)
        options.pull_rest(OPTIONS.values())
        self._pull_properties(options)
        options.finish()
        self.startup = self._startup()
        for column in self.table.columns:
            self._check_column(column)

    def _brokers(self, options: OptionReader) -> str:
        given = options.pull_prefix("properties.bootstrap.")
        chosen: str | None = options.pull(OPTIONS["bootstrap.servers"])
        found = given[0].value if given else chosen
        if found:
            return found
        error = options.missing("bootstrap.servers")
        zookeeper = options.span("zookeeper.connect")
        if zookeeper is None:
            raise error
        raise OptionError(
            "MISSING_OPTION",
            span=zookeeper,
            table=self.table.name,
            option="bootstrap.servers",
            instead="A current Kafka has no ZooKeeper to ask: name the brokers in the WITH clause, "
            "or run with `--bootstrap HOST:PORT`.",
        )

    def _pull_properties(self, options: OptionReader) -> None:
        """Parameters of the Kafka client: some have other names today, some are gone."""
        properties = {"bootstrap.servers": self.brokers}
        notes: list[tuple[str, Span | None]] = []
        for option in (*options.pull_free(_PROPERTY), *self._extra(options)):
            reason = WITHOUT_EFFECT.get(option.key)
            if reason:
                note = f"the option '{option.key}' has no effect here: {reason}"
                notes.append((note, option.span))
            else:
                properties[RENAMED.get(option.key, option.key)] = client_value(option)
        self.properties = properties
        self.notes = tuple(notes)

    def _extra(self, options: OptionReader) -> list[OptionValue]:
        """`extraConfig = 'a=b;c=d'`."""
        text, span = self.table.option("extraConfig") or "", options.span("extraConfig")
        pairs = (pair.partition("=") for pair in text.split(";") if pair.strip())
        return [OptionValue(key.strip(), value.strip(), span) for key, _, value in pairs]

    def _startup(self) -> Startup:
        mode = MODES[(self.table.option("startupMode") or "GROUP_OFFSETS").upper()]
        reset = (self.table.option("auto.offset.reset") or "").lower()
        return Startup(
            mode,
            group_id=self.table.option("group.id"),
            reset=RESETS.get(reset, reset) or None,
            timestamp_ms=self._start_time() if mode == "timestamp" else None,
        )

    def _start_time(self) -> int:
        millis = self.table.option("startTimeMs")
        if millis is not None:
            return int(millis)
        text = self.table.option("startTime")
        if text is None:
            raise OptionError(
                "CONFLICTING_OPTIONS",
                table=self.table.name,
                conflict="startupMode 'TIMESTAMP' needs 'startTime' or 'startTimeMs'.",
                instead="Add one of them to the WITH clause.",
            )
        zone = self.table.option("timeZone")
        moment = datetime.strptime(text, "%Y-%m-%d %H:%M:%S")
        placed = moment.replace(tzinfo=ZoneInfo(zone)) if zone else moment.astimezone()
        return int(placed.timestamp() * 1000)

    def _check_column(self, column: Column) -> None:
        if column.kind == "computed" or column.type is None:
            return
        expected = _COLUMNS.get(column.name)
        if expected is None:
            raise PlanError(
                "INVALID_QUERY",
                span=column.span,
                problem=f"Column `{column.name}` is nothing of a Kafka message.",
                instead=f"A '{self.name}' table has the columns {', '.join(_COLUMNS)}; take the "
                f"fields out of `{VALUE}` with computed columns.",
            )
        cast("value", expected[0], column.type, span=column.span)

    def scan(self) -> ScanSpec:
        """Each record is a row."""
        properties = {**CONSUMER_DEFAULTS, **self.properties}
        source = KafkaSource(
            self.topics,
            self.pattern,
            tuple(properties.items()),
            self.startup,
            reading=self.reading,
        )
        columns = tuple(
            (c.name, cast(_COLUMNS[c.name][1], _COLUMNS[c.name][0], c.type), c.type)
            for c in self.table.columns
            if c.kind != "computed" and c.type is not None
        )
        return ScanSpec(source, (), columns)

    def sink(self) -> SinkSpec:
        """Each row is a record of its two columns of bytes."""
        if self.table.primary_key != (KEY,):
            raise PlanError(
                "INVALID_QUERY",
                span=self.table.span,
                problem=f"Table `{self.table.name}` cannot be written without its key.",
                instead=f"Add PRIMARY KEY ({KEY}) to it.",
            )
        if len(self.topics) != 1:
            raise PlanError("SINK_NEEDS_ONE_TOPIC", table=self.table.name)
        names = tuple(name for name, _ in self.table.physical)
        if sorted(names) != sorted((KEY, VALUE)):
            raise PlanError(
                "INVALID_QUERY",
                span=self.table.span,
                problem=f"Table `{self.table.name}` has the columns {', '.join(names)}.",
                instead=f"A '{self.name}' table that is written has {KEY} and {VALUE}.",
            )
        properties = {**PRODUCER_DEFAULTS, **self.properties}
        columns = (("key", quote(KEY)), ("value", quote(VALUE)))
        return SinkSpec(KafkaTarget(self.topics, None, tuple(properties.items())), columns)


class Kafka08(BlinkKafka):
    """`type = 'kafka08'`."""

    name = "kafka08"


class Kafka09(BlinkKafka):
    """`type = 'kafka09'`."""

    name = "kafka09"


class Kafka011(BlinkKafka):
    """`type = 'kafka011'`."""

    name = "kafka011"


def _spelled(option: OptionValue) -> OptionValue:
    """Keys are Blink's in any letter case."""
    known = next((key for key in OPTIONS if key.lower() == option.key.lower()), option.key.lower())
    return replace(option, key=known)
