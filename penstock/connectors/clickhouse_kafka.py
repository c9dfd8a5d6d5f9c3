"""ClickHouse's `ENGINE = Kafka`: a topic that a materialized view reads or an INSERT writes."""

from __future__ import annotations

import difflib
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from penstock.connectors.base import (
    Connector,
    Metadata,
    ScanSpec,
    SinkSpec,
)
from penstock.connectors.clickhouse_settings import (
    ARGUMENTS,
    CLIENT_PROPERTIES,
    FORMAT_PREFIXES,
    FORMATS,
    SETTINGS,
    WITH_MACROS,
)
from penstock.connectors.clickhouse_specs import ClickHouseKafkaSource, ClickHouseKafkaTarget
from penstock.connectors.kafka_login import (
    PASSWORD_MECHANISMS,
    client_value,
    password_login,
)
from penstock.connectors.kafka_specs import Startup
from penstock.errors import OptionError, PlanError
from penstock.formats.base import field
from penstock.formats.clickhouse import CLICKHOUSE_FORMATS
from penstock.model.option import OptionReader, OptionValue
from penstock.model.table import Column
from penstock.model.types import MAX_LENGTH, DataType, quote

if TYPE_CHECKING:
    from penstock.formats.clickhouse.base import ClickHouseFormat
    from penstock.model.table import Table
    from penstock.model.types import Fields

_PREFIX = "properties."
_MACRO = re.compile(r"\{([^{}]*)\}")
_STRING = DataType("VARCHAR", MAX_LENGTH, nullable=False)
_UINT64 = DataType("UINT64", nullable=False)
_STRINGS = DataType("ARRAY", children=(("element", _STRING),), nullable=False)


class ClickHouseKafka(Connector):
    """Reads and writes one table's topic."""

    name = "clickhouse-kafka"
    HAS_BROKERS = True
    IN_WITH = False
    PROPERTY_NAMES: ClassVar[dict[str, str]] = {
        **CLIENT_PROPERTIES,
        "kafka_sasl_username": "sasl.jaas.config",
    }
    OPTIONS = tuple(SETTINGS.values())
    METADATA = (
        Metadata("_topic", _STRING, "topic"),
        Metadata("_key", _STRING, "coalesce(CAST(key AS STRING), '')"),
        Metadata("_offset", _UINT64, "CAST(offset AS DECIMAL(20, 0))"),
        Metadata("_partition", _UINT64, "CAST(partition AS DECIMAL(20, 0))"),
        Metadata("_timestamp", DataType("TIMESTAMP_LTZ", 0), "date_trunc('SECOND', timestamp)"),
        Metadata("_timestamp_ms", DataType("TIMESTAMP_LTZ", 3), "timestamp"),
        Metadata("_headers.name", _STRINGS, "coalesce(headers.key, array())"),
        Metadata(
            "_headers.value",
            _STRINGS,
            "coalesce(transform(headers.value, v -> CAST(v AS STRING)), array())",
        ),
    )
    ERROR_METADATA = (
        Metadata("_raw_message", _STRING, "__raw_message"),
        Metadata("_error", _STRING, "__error"),
    )

    def __init__(self, table: Table, folders: tuple[str, ...] = ()) -> None:
        super().__init__(table, folders)
        declared = {column.name for column in table.columns}
        virtual = (m for m in self._virtual() if m.key not in declared)
        hidden = tuple(
            Column(m.key, "metadata", m.type, table.span, None, m.key, virtual=True, hidden=True)
            for m in virtual
        )
        self.table = replace(table, columns=(*table.columns, *hidden))

    def read(self, options: OptionReader) -> None:
        """Pull every setting, whether it is an argument or stands in SETTINGS."""
        self._check_columns()
        values = self._settings()
        self._check_required(values)
        reader = OptionReader(self.table.name, values.values())
        self.settings: dict[str, Any] = {}
        for key, option in SETTINGS.items():
            self.settings[key] = reader.pull(option)
        added = {o.key: client_value(o) for o in reader.pull_prefix(_PREFIX)}
        self.brokers: str = added.pop("bootstrap.servers", self.settings["kafka_broker_list"])
        self.properties = self._client_properties(added)
        self.format_settings = (
            *_registry(values),
            *(
                OptionValue(prefix + value.key, value.value, value.span)
                for prefix in FORMAT_PREFIXES
                for value in reader.pull_prefix(prefix)
            ),
        )
        reader.finish()
        self._check_format(values["kafka_format"])
        self.format = self._format()

    def scan(self) -> ScanSpec:
        """The columns of a message, then what is known about it."""
        startup = Startup("group-offsets", self.settings["kafka_group_name"], reset="earliest")
        source = ClickHouseKafkaSource(
            self.settings["kafka_topic_list"],
            self.properties,
            startup,
            self.settings["kafka_format"],
        )
        reads = {m.key: m.read for m in self._virtual()}
        columns = tuple(
            (c.name, reads.get(c.metadata_key) or field("__value", c.name), c.type)
            for c in self.table.columns
            if c.kind != "computed" and c.type is not None
        )
        rows = self.format.decode("value", self._fields()) if self.format else ""
        return ScanSpec(source, (("__value", rows),) if rows else (), columns)

    def sink(self) -> SinkSpec:
        """One topic only."""
        topics = self.settings["kafka_topic_list"]
        if len(topics) != 1:
            raise PlanError("SINK_NEEDS_ONE_TOPIC", table=self.table.name)
        target = ClickHouseKafkaTarget(topics[0], self.properties, self.settings["kafka_format"])
        values = [(name, quote(name), type_) for name, type_ in self._fields()]
        message = self.format.encode(values) if self.format else ""
        return SinkSpec(target, (("value", message),) if message else ())

    def _fields(self) -> Fields:
        return tuple(
            (c.name, c.type)
            for c in self.table.columns
            if c.kind == "physical" and c.type is not None
        )

    def _format(self) -> ClickHouseFormat | None:
        """The format of the messages; None while there is no codec of this name."""
        found = CLICKHOUSE_FORMATS.get(self.settings["kafka_format"])
        if found is None:
            return None
        reader = OptionReader(self.table.name, self.format_settings)
        chosen = found.of_table(
            reader,
            self.settings["kafka_schema_registry_skip_bytes"],
            schema=self.settings["kafka_schema"],
            folders=self.folders,
        )
        chosen.check_types(self._fields())
        return chosen

    def _virtual(self) -> tuple[Metadata, ...]:
        table = Metadata("_table", _STRING, f"'{self.table.name}'")
        errors = self.settings["kafka_handle_error_mode"] == "stream"
        return (*self.METADATA, table, *(self.ERROR_METADATA if errors else ()))

    def _client_properties(self, added: dict[str, str]) -> tuple[tuple[str, str], ...]:
        """What the settings say in the client's words, over what was `added` to them."""
        named = {name: self.settings[key] for key, name in CLIENT_PROPERTIES.items()}
        found = {**added, **{name: value for name, value in named.items() if value}}
        if self.settings["kafka_sasl_username"]:
            found["sasl.jaas.config"] = self._login(found.get("sasl.mechanism", ""))
        if "security.protocol" in found:
            found["security.protocol"] = found["security.protocol"].upper()
        return (("bootstrap.servers", self.brokers), *found.items())

    def _login(self, mechanism: str) -> str:
        if mechanism.upper() not in PASSWORD_MECHANISMS:
            raise OptionError(
                "CONFLICTING_OPTIONS",
                table=self.table.name,
                conflict="'kafka_sasl_username' needs a 'kafka_sasl_mechanism' that takes a "
                "password.",
                instead=f"Set it to one of {', '.join(PASSWORD_MECHANISMS)}.",
            )
        user, password = self.settings["kafka_sasl_username"], self.settings["kafka_sasl_password"]
        return password_login(mechanism, user, password)

    def _settings(self) -> dict[str, OptionValue]:
        """All settings by name; arguments count as the setting of their place."""
        found: dict[str, OptionValue] = {}
        for option in self.table.options:
            if option.key == "engine.collection":
                raise OptionError(
                    "NAMED_COLLECTION",
                    span=option.span,
                    table=self.table.name,
                    collection=option.value,
                )
            if option.key in ("connector", "engine"):
                continue
            key, number = self._argument(option)
            if key in found:
                self._refuse_twice(option, key, number)
            found[key] = OptionValue(key, self._filled(key, option), option.span)
        return found

    def _argument(self, option: OptionValue) -> tuple[str, int]:
        if not option.key.startswith("engine."):
            return option.key, 0
        number = int(option.key.removeprefix("engine."))
        if number > len(ARGUMENTS):
            raise OptionError(
                "CONFLICTING_OPTIONS",
                span=option.span,
                table=self.table.name,
                conflict=f"Kafka(…) takes {len(ARGUMENTS)} arguments at most.",
                instead="Name the others in SETTINGS.",
            )
        return ARGUMENTS[number - 1], number

    def _refuse_twice(self, option: OptionValue, key: str, number: int) -> None:
        place = number or ARGUMENTS.index(key) + 1
        raise OptionError(
            "CONFLICTING_OPTIONS",
            span=option.span,
            table=self.table.name,
            conflict=f"The argument №{place} of storage Kafka and the parameter '{key}' cannot be "
            "specified at the same time.",
            instead="Say it once.",
        )

    def _filled(self, key: str, option: OptionValue) -> str:
        """The value with `{database}` and `{table}` filled in."""
        if key not in WITH_MACROS:
            return option.value
        database, _, table = self.table.name.rpartition(".")
        macros = {"database": database or "default", "table": table}
        for macro in _MACRO.findall(option.value):
            if macro not in macros:
                raise OptionError(
                    "INVALID_OPTION_VALUE",
                    span=option.span,
                    table=self.table.name,
                    option=key,
                    value=option.value,
                    expected="the macros {database} and {table}; others belong to a server",
                )
        return _MACRO.sub(lambda match: macros[match[1]], option.value)

    def _check_required(self, values: dict[str, OptionValue]) -> None:
        for key, option in SETTINGS.items():
            if option.required and key not in values:
                place = ARGUMENTS.index(key) + 1
                raise OptionError(
                    "MISSING_OPTION",
                    table=self.table.name,
                    option=key,
                    instead=f"Add it to SETTINGS, or as argument {place} of Kafka(…).",
                )

    def _check_columns(self) -> None:
        for column in self.table.columns:
            if column.default_kind:
                raise OptionError(
                    "CONFLICTING_OPTIONS",
                    span=column.span,
                    table=self.table.name,
                    conflict="KafkaEngine doesn't support DEFAULT/MATERIALIZED/EPHEMERAL "
                    f"expressions for columns; `{column.name}` is {column.default_kind}.",
                    instead="Compute it in the materialized view, or declare it as ALIAS.",
                )

    def _check_format(self, option: OptionValue) -> None:
        if option.value not in FORMATS:
            lowered = {name.lower(): name for name in FORMATS}
            near = difflib.get_close_matches(option.value.lower(), lowered, n=1)
            raise OptionError(
                "UNKNOWN_FORMAT",
                span=option.span,
                table=self.table.name,
                format=option.value,
                did_you_mean=f" Did you mean '{lowered[near[0]]}'?" if near else "",
                supported=", ".join(FORMATS),
            )


def _registry(values: dict[str, OptionValue]) -> tuple[OptionValue, ...]:
    """The registry of a table's own, under the name that the format knows it by."""
    found = values.get("kafka_format_avro_schema_registry_url")
    if found is None:
        return ()
    return (OptionValue(found.key.removeprefix("kafka_"), found.value, found.span),)
