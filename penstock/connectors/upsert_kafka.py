"""The `upsert-kafka` connector: a topic as a table whose rows have a key.

A message replaces the row of its key; one without a value deletes it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from penstock.connectors.kafka import Kafka
from penstock.connectors.kafka_options import OPTIONS
from penstock.connectors.kafka_rules import check_options, check_topic_or_pattern, conflict
from penstock.connectors.kafka_specs import Buffer
from penstock.formats.base import field
from penstock.model.changelog import KIND_COLUMN, ChangelogMode, RowKind
from penstock.model.option import Option, duration_ms, whole_number

if TYPE_CHECKING:
    from penstock.connectors.base import ScanSpec, SinkSpec
    from penstock.formats.base import Format
    from penstock.model.option import OptionReader
    from penstock.model.table import Column
    from penstock.model.types import DataType

_ROWS, _INTERVAL = "sink.buffer-flush.max-rows", "sink.buffer-flush.interval"
# What plain tables may choose: without all messages of a key, in their order, there is no table.
_FIXED = {"sink.partitioner": "default", "sink.semantic": None}
# What Flink refuses for the same reason, and who knows better may choose under a name of ours.
_MODE = "scan.startup.mode"
_EXTENDED = {
    f"penstock.{key}": key
    for key in (_MODE, "scan.startup.specific-offsets", "scan.startup.timestamp-millis")
}
# What the primary key says, and the older name of `value.format`.
_ABSENT = ("key.fields", "format")
_UPDATE, _DELETE = (list(RowKind).index(kind) for kind in (RowKind.UPDATE_AFTER, RowKind.DELETE))


def _declared() -> dict[str, Option[Any]]:
    """The options of a plain table, changed where a key decides."""
    absent = (*_ABSENT, *_FIXED, *_EXTENDED.values())
    found = {key: option for key, option in OPTIONS.items() if key not in absent}
    found |= {key: replace(OPTIONS[plain], key=key) for key, plain in _EXTENDED.items()}
    changed: dict[str, dict[str, Any]] = {
        "connector": {"description": "`upsert-kafka`."},
        "key.format": {"description": "Format of the key, the primary key.", "required": True},
        "value.format": {"description": "Format of the value.", "required": True},
        "properties.group.id": {
            "description": "Consumer group: what was read is committed to it, and "
            "`scan.bounded.mode` may end at its offsets."
        },
        "scan.parallelism": {
            "description": "Read with at most so many tasks, else one for each partition."
        },
        "sink.parallelism": {
            "description": "Write with so many tasks, each with all rows of its keys; else with as "
            "many as the query has."
        },
        f"penstock.{_MODE}": {
            "default": "earliest-offset",
            "description": "Not in Flink: where the first run begins. Rows from before it are "
            "unknown: what replaces one is new, and what deletes one does nothing.",
        },
    }
    found |= {key: replace(found[key], **changes) for key, changes in changed.items()}
    rows = Option(
        _ROWS,
        whole_number,
        0,
        "With the interval: hold back rows, at most so many keys per task, and write the last of "
        "each key only.",
        "Integer",
    )
    interval = Option(_INTERVAL, duration_ms, 0, "For how long they are held back.", "Duration")
    return found | {option.key: option for option in (rows, interval)}


class UpsertKafka(Kafka):
    """Reads and writes the newest row of each key."""

    name = "upsert-kafka"
    DECLARED: ClassVar[dict[str, Option[Any]]] = _declared()
    OPTIONS = tuple(DECLARED.values())

    def read(self, options: OptionReader) -> None:
        """As a plain table; a look at its topics comes first, as in Flink's sink."""
        check_topic_or_pattern(self.table)
        super().read(options)
        asked = self.table.option(f"penstock.{_MODE}") is not None
        self.startup = replace(self.startup, by_option=asked)

    def check_formats(self, key: Format | None) -> None:
        """Nothing yet: here Flink looks at the options before it looks at the formats."""

    def check_rules(self, key: Format | None) -> None:
        """Formats of inserts, a primary key, and both limits of the buffer or none."""
        for format_, part in ((key, "key"), (self.value, "value")):
            if format_ and format_.CHANGELOG is not ChangelogMode.APPEND:
                raise conflict(
                    self.table,
                    f"{part}.format",
                    f"'upsert-kafka' connector doesn't support '{format_.name}' as {part} format, "
                    f"because '{format_.name}' is not in insert-only mode.",
                    "Choose a format such as 'json', or read the table with 'connector' = 'kafka'.",
                )
        if not self.table.primary_key:
            raise conflict(
                self.table,
                "",
                "'upsert-kafka' tables require to define a PRIMARY KEY constraint. The PRIMARY KEY "
                "specifies which columns should be read from or write to the Kafka message key. "
                "The PRIMARY KEY also defines records in the 'upsert-kafka' table should update or "
                "delete on which keys.",
                "Add PRIMARY KEY (...) NOT ENFORCED.",
            )
        if (self.values[_ROWS] > 0) != (self.values[_INTERVAL] > 0):
            raise conflict(
                self.table,
                _ROWS if self.values[_ROWS] > 0 else _INTERVAL,
                f"'{_ROWS}' and '{_INTERVAL}' must be set to be greater than zero together to "
                "enable sink buffer flushing.",
                "Set both, or none.",
            )
        check_options(self.table, self.values)

    def scan(self) -> ScanSpec:
        """As a plain table; a message without a value is the deletion of its key."""
        spec = super().scan()
        *key, (name, value) = spec.decoded
        # What a format makes of no value at all does not count.
        decoded = (*key, (name, f"IF(value IS NULL, NULL, {value})"))
        kind = f"CAST(IF(value IS NULL, {_DELETE}, {_UPDATE}) AS TINYINT)"
        return replace(spec, decoded=decoded, kind=kind, tombstones=True)

    def sink(self) -> SinkSpec:
        """As a plain table; what is deleted or replaced has no value."""
        spec = super().sink()
        kinds = f"{_UPDATE}, {list(RowKind).index(RowKind.INSERT)}"
        columns = tuple(
            (name, f"IF({KIND_COLUMN} IN ({kinds}), {sql}, NULL)" if name == "value" else sql)
            for name, sql in spec.columns
        )
        return replace(
            spec,
            columns=columns,
            accepts=tuple(ChangelogMode),
            kinds=True,
            key=self.table.primary_key,
        )

    def buffer(self) -> Buffer | None:
        """Both limits, or no buffer."""
        rows, interval_ms = self.values[_ROWS], self.values[_INTERVAL]
        return Buffer(rows, interval_ms) if rows > 0 and interval_ms > 0 else None

    @property
    def changelog(self) -> ChangelogMode:
        """A message replaces the row of its key."""
        return ChangelogMode.UPSERT

    def _pulled(self, options: OptionReader) -> dict[str, Any]:
        values = super()._pulled(options) | _FIXED | {"key.fields": self.table.primary_key}
        return values | {plain: values[key] for key, plain in _EXTENDED.items()}

    def _value_format(self, options: OptionReader) -> Format:
        chosen = self.pull_format(options, self.DECLARED["value.format"], "value.")
        if chosen is None:
            raise options.missing("value.format")
        return chosen

    def _read(self, column: Column, type_: DataType) -> str:
        """A column of the key stands in the key where the value lacks it, as a deletion's does."""
        read = super()._read(column, type_)
        if self.key and column.name in self.key.columns and not self.key.excluded_from_value:
            return f"coalesce({read}, {field('__key', self.key.message_names[column.name])})"
        return read
