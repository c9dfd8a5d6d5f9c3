"""The `kafka` connector: topics as a table of inserts, or of what its format tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from penstock.connectors.base import Connector, ScanSpec, SinkSpec
from penstock.connectors.kafka_metadata import KEYS, keys_of, read_metadata, written_metadata
from penstock.connectors.kafka_notes import option_notes
from penstock.connectors.kafka_options import FAILURE_HANDLER, FAILURE_TOPIC, OPTIONS
from penstock.connectors.kafka_partitioner import read_partitioner
from penstock.connectors.kafka_places import group_refusal, read_bound, read_startup
from penstock.connectors.kafka_properties import (
    CONSUMER_DEFAULTS,
    PRODUCER_DEFAULTS,
    client_properties,
    consumer_refusal,
    property_notes,
)
from penstock.connectors.kafka_rules import (
    check_key_format,
    check_options,
    check_primary_key,
    check_topics,
    check_writable,
)
from penstock.connectors.kafka_specs import Failures, KafkaSource, KafkaTarget, Reading
from penstock.connectors.key_fields import read_key_fields
from penstock.formats.base import field
from penstock.model.changelog import KIND_COLUMN, ChangelogMode
from penstock.model.types import quote

if TYPE_CHECKING:
    from penstock.connectors.base import Metadata
    from penstock.connectors.kafka_specs import Buffer
    from penstock.formats.base import Format
    from penstock.model.option import Option, OptionReader
    from penstock.model.table import Column
    from penstock.model.types import DataType


# Pulled before others, with the options of the formats they name.
_FORMATS = ("format", "value.format", "key.format")


class Kafka(Connector):
    """Reads and writes one table's topics."""

    name = "kafka"
    HAS_BROKERS = True
    DECLARED: ClassVar[dict[str, Option[Any]]] = OPTIONS
    OPTIONS = tuple(OPTIONS.values())
    METADATA = KEYS

    def read(self, options: OptionReader) -> None:
        """Pull every option of the table; the rules come in Flink's order."""
        key_format = self.pull_format(options, self.DECLARED["key.format"], "key.")
        self.value = self._value_format(options)
        self.check_formats(key_format)
        self.values = self._pulled(options)
        check_topics(self.table, self.values)
        self.topics: tuple[str, ...] = self.values["topic"] or ()
        self.pattern: str | None = self.values["topic-pattern"]
        self.startup = read_startup(self.table, self.values)
        self.bound = read_bound(self.table, self.values)
        self.check_rules(key_format)
        self.value = self.value.keyed(self.table)
        self.key = read_key_fields(self.table, self.values, key_format)
        self.properties = client_properties(self.table)
        formats = (self.value, *([self.key.format] if self.key else []))
        self.notes = (*property_notes(self.table), *option_notes(self.table, formats))
        self.value.check_types(self.value_fields)
        if self.key:
            self.key.format.check_types(self.key.fields)

    def check_formats(self, key: Format | None) -> None:
        """Which formats key and value may have, before the other options are looked at."""
        check_key_format(self.table, key)

    def check_rules(self, key: Format | None) -> None:
        """What the options must not contradict, and what of a primary key can be kept."""
        check_options(self.table, self.values)
        check_primary_key(self.table, self.value)

    def scan(self) -> ScanSpec:
        """Decode key and value, then pick the columns."""
        asked = [column.metadata_key for column in self.table.columns if column.metadata_key]
        metadata = [key.removeprefix("value.") for key in asked if key.startswith("value.")]
        failures = self._failures()
        # The formats' own word for a job that stops.
        handled = (self.table.name, {"none": "fail"}.get(failures.handler, failures.handler))
        value = self.value.decode("value", self.value_fields, metadata=metadata, failures=handled)
        decoded = [("__value", value)]
        if self.key:
            key = self.key.format.decode("key", self.key.fields, failures=handled)
            decoded.insert(0, ("__key", key))
        properties = {**CONSUMER_DEFAULTS, **dict(self.properties)}
        source = KafkaSource(
            self.topics,
            self.pattern,
            tuple(properties.items()),
            self.startup,
            self.bound,
            self._reading(failures),
        )
        columns = tuple(
            (column.name, self._read(column, column.type), column.type)
            for column in self.table.columns
            if column.kind != "computed" and column.type is not None
        )
        return ScanSpec(
            source,
            tuple(decoded),
            columns,
            bounded=self.bound is not None,
            refusal=group_refusal(self.table, self.startup, self.bound)
            or consumer_refusal(self.table),
            mode=self.changelog,
            kind=field("__value", KIND_COLUMN) if self.value.has_kinds else "",
            secrets=self._secrets,
        )

    def sink(self) -> SinkSpec:
        """Encode value and key, and what of the record the metadata columns say."""
        check_writable(self.table, self.value)
        fields = [(name, quote(name), type_) for name, type_ in self.value_fields]
        topic = self.topics[0] if len(self.topics) == 1 else None
        columns = [("value", self.value.written_to(topic, "value").encode(fields))]
        if self.key:
            key = zip(self.key.fields, self.key.columns, strict=True)
            fields = [(name, quote(column), type_) for (name, type_), column in key]
            columns.append(("key", self.key.format.written_to(topic, "key").encode(fields)))
        columns += self._written_metadata()
        properties = {**PRODUCER_DEFAULTS, **dict(self.properties)}
        target = KafkaTarget(
            self.topics,
            self.pattern,
            tuple(properties.items()),
            guarantee=self.values["sink.semantic"] or self.values["sink.delivery-guarantee"],
            transactional_id_prefix=self.values["sink.transactional-id-prefix"],
            partitioner=read_partitioner(self.table, self.values["sink.partitioner"], self.folders),
            parallelism=self.values["sink.parallelism"],
            buffer=self.buffer(),
        )
        kinds = self.value.has_kinds
        accepts = (ChangelogMode.APPEND, *([ChangelogMode.RETRACT] if kinds else []))
        return SinkSpec(target, tuple(columns), accepts, kinds=kinds, secrets=self._secrets)

    def buffer(self) -> Buffer | None:
        """How long rows wait for later ones of their key, if they do."""
        return None

    def metadata_keys(self) -> tuple[Metadata, ...]:
        """The record's, and those of the value's format."""
        return keys_of(self.value, one_topic=len(self.topics) == 1)

    @property
    def _secrets(self) -> tuple[tuple[str, str], ...]:
        return (*self.value.secrets, *(self.key.format.secrets if self.key else ()))

    @property
    def changelog(self) -> ChangelogMode:
        """Which kinds of rows its messages are."""
        return self.value.changelog

    @property
    def value_fields(self) -> tuple[tuple[str, DataType], ...]:
        """The fields that stand in the value of a message."""
        if self.key and self.key.excluded_from_value:
            return tuple(f for f in self.table.physical if f[0] not in self.key.columns)
        return self.table.physical

    def _pulled(self, options: OptionReader) -> dict[str, Any]:
        """Every option's value; what is missing comes before what is wrong or unknown."""
        # A format that is required was found, or the table refused, when its options were pulled.
        others = [o for o in self.OPTIONS if not (o.required and o.key in _FORMATS)]
        required_first = sorted(others, key=lambda option: not option.required)
        values = {option.key: options.pull(option) for option in required_first}
        options.pull_prefix("properties.")
        options.finish()
        return values

    def _value_format(self, options: OptionReader) -> Format:
        chosen = self.pull_format(options, OPTIONS["format"], "")
        if chosen:
            options.pull(OPTIONS["value.format"])
            return chosen
        chosen = self.pull_format(options, OPTIONS["value.format"], "value.")
        if chosen is None:
            raise options.missing("format")
        return chosen

    def _failures(self) -> Failures:
        return Failures(self.values[FAILURE_HANDLER], self.values[FAILURE_TOPIC])

    def _reading(self, failures: Failures) -> Reading:
        used = {column.metadata_key for column in self.table.columns}
        on_loss = self.values["penstock.on-data-loss"]
        discovery_ms = self.values["scan.topic-partition-discovery.interval"]
        return Reading(
            headers=bool(used & {"headers", "header-list"}),
            leader_epoch="leader-epoch" in used,
            # What ends does not grow.
            discovery_ms=0 if self.bound else discovery_ms,
            idle_timeout_ms=self.values["scan.watermark.idle-timeout"],
            parallelism=self.values["scan.parallelism"],
            keep_going=None if on_loss is None else on_loss == "continue",
            max_offsets_per_batch=self.values["penstock.max-offsets-per-batch"],
            failures=failures,
        )

    def _read(self, column: Column, type_: DataType) -> str:
        if column.kind == "metadata":
            key = self.metadata(column, purpose="reading")
            return read_metadata(self.table, column, type_, key)
        if column.name in dict(self.value_fields):
            return field("__value", column.name)
        assert self.key  # noqa: S101 — a column outside the value is a key column
        return field("__key", self.key.message_names[column.name])

    def _written_metadata(self) -> list[tuple[str, str]]:
        columns = {
            self.metadata(column, purpose="writing").key: column
            for column in self.table.sink_columns
            if column.kind == "metadata"
        }
        return written_metadata(self.table, columns, one_topic=len(self.topics) == 1)
