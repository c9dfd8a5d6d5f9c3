"""Kafka tables as Flink wrote them before 1.11 (`connector.type`), in the options of today.

Called by `catalog.connect` before a connector is chosen.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.connectors.kafka_rules import refusal
from penstock.model.option import OptionValue

if TYPE_CHECKING:
    from penstock.model.span import Span
    from penstock.model.table import Table

    Notes = list[tuple[str, Span | None]]

_TYPE, _FORMAT = "connector.type", "format.type"
_VERSIONED = ("kafka-0.10", "kafka-0.11")
_RENAMED = {
    _TYPE: "connector",
    _FORMAT: "format",
    "connector.topic": "topic",
    "connector.startup-mode": "scan.startup.mode",
    "connector.specific-offsets": "scan.startup.specific-offsets",
    "connector.startup-timestamp-millis": "scan.startup.timestamp-millis",
    "connector.sink-partitioner": "sink.partitioner",
}
_PARTITIONER_CLASS = "connector.sink-partitioner-class"
_VERSION = "one client speaks to every version of Kafka"
_SCHEMA = "the columns of the table say it"
_WITHOUT_EFFECT = {
    "connector.property-version": "there is one version of the options",
    "connector.version": _VERSION,
    "format.avro-schema": _SCHEMA,
    "format.derive-schema": _SCHEMA,
    "format.json-schema": _SCHEMA,
    "format.line-delimiter": "a message is one line",
    "format.property-version": "there is one version of the options",
    "format.record-class": _SCHEMA,
    "format.schema": _SCHEMA,
    "update-mode": "a Kafka table appends",
}
_FIELDS = re.compile(r"format\.fields\.\d+\..+")
_INDEXED = re.compile(r"connector\.(properties|specific-offsets)\.(\d+)\.(\w+)")


def modern(table: Table) -> tuple[Table, Notes]:
    """The table in today's options, and notes of what was renamed and of what has no effect."""
    if table.option("connector") in _VERSIONED:
        return _without_version(table)
    if table.option(_TYPE) != "kafka":
        return replace(table, options=tuple(_named(option) for option in table.options)), []
    kept, notes = _without_effect(table)
    plain = [option for option in kept if not _INDEXED.fullmatch(option.key)]
    options = [*(_renamed(table, option) for option in plain), *_from_indexed(kept)]
    notes.insert(0, (_summary(table, options), _span(table, _TYPE)))
    if not any(option.key == "sink.partitioner" for option in options):
        # What it was while these options were in use.
        options.append(OptionValue("sink.partitioner", "fixed", _span(table, _TYPE)))
    return replace(table, options=tuple(o for o in options if o.key)), notes


def _without_version(table: Table) -> tuple[Table, Notes]:
    name, span = table.option("connector"), _span(table, "connector")
    options = tuple(replace(o, value="kafka") if o.key == "connector" else o for o in table.options)
    return replace(table, options=options), [(f"'{name}' is read as 'kafka': {_VERSION}", span)]


def _named(option: OptionValue) -> OptionValue:
    """What names another system of that time is found, or missed, under its name."""
    return replace(option, key="connector") if option.key == _TYPE else option


def _without_effect(table: Table) -> tuple[list[OptionValue], Notes]:
    kept: list[OptionValue] = []
    notes: Notes = []
    for option in table.options:
        reason = _WITHOUT_EFFECT.get(option.key)
        if _FIELDS.fullmatch(option.key):
            reason = _SCHEMA
        if option.key == "update-mode" and option.value != "append":
            problem = f"'update-mode' = '{option.value}' is not supported by a Kafka table."
            raise refusal(table, option.key, problem, "Remove it: rows are appended.")
        if reason:
            note = f"the option '{option.key}' has no effect here: {reason}"
            notes.append((note, option.span))
        else:
            kept.append(option)
    return kept, notes


def _renamed(table: Table, option: OptionValue) -> OptionValue:
    """One option by its name of today; what is unknown keeps its name and is refused later."""
    key = option.key
    if key == "connector.sink-partitioner" and option.value == "custom":
        return replace(option, key="")
    if key == _PARTITIONER_CLASS:
        return replace(option, key="sink.partitioner")
    if key in _RENAMED:
        return replace(option, key=_RENAMED[key])
    if key.startswith("connector.properties."):
        return replace(option, key=key.removeprefix("connector."))
    if key.startswith("format."):
        return replace(option, key=f"{table.option(_FORMAT)}.{key.removeprefix('format.')}")
    return option


def _from_indexed(options: list[OptionValue]) -> list[OptionValue]:
    """`connector.properties.0.key` and `.value`, `connector.specific-offsets.0.partition` …"""
    found: dict[tuple[str, str], dict[str, OptionValue]] = {}
    for option in options:
        if match := _INDEXED.fullmatch(option.key):
            found.setdefault((match[1], match[2]), {})[match[3]] = option
    properties, offsets = [], []
    for (kind, _), parts in found.items():
        if kind == "properties" and {"key", "value"} <= parts.keys():
            key = f"properties.{parts['key'].value}"
            properties.append(replace(parts["value"], key=key))
        elif kind == "specific-offsets" and {"partition", "offset"} <= parts.keys():
            offsets.append(f"partition:{parts['partition'].value},offset:{parts['offset'].value}")
        else:
            properties += parts.values()
    if offsets:
        properties.append(OptionValue("scan.startup.specific-offsets", ";".join(offsets)))
    return properties


def _summary(table: Table, options: list[OptionValue]) -> str:
    ours = [option.key for option in options if option.key and table.option(option.key) is None]
    listed = ", ".join(f"'{key}'" for key in ours)
    return f"the options of Flink 1.10 are read as {listed}"


def _span(table: Table, key: str) -> Span | None:
    return next((option.span for option in table.options if option.key == key), None)
