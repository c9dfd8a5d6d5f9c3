"""ClickHouse's `ENGINE = Kafka`: a topic that a materialized view reads or an INSERT writes.

Its settings become the specification of a Kafka table like any other: there is one reader and one
writer of topics.
"""

from __future__ import annotations

import re
import socket
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from penstock.connectors.base import Connector, Metadata, ScanSpec, SinkSpec
from penstock.connectors.clickhouse_arguments import (
    check_columns,
    check_together,
    read_settings,
)
from penstock.connectors.clickhouse_notes import format_notes, setting_notes
from penstock.connectors.clickhouse_settings import (
    CLIENT_PROPERTIES,
    FORMAT_PREFIXES,
    FORMAT_SCHEMA,
    SETTINGS,
)
from penstock.connectors.clickhouse_virtual import IS_BROKEN, virtual, with_virtual, written
from penstock.connectors.kafka_login import (
    PASSWORD_MECHANISMS,
    client_value,
    password_login,
)
from penstock.connectors.kafka_properties import CONSUMER_DEFAULTS, PRODUCER_DEFAULTS
from penstock.connectors.kafka_rules import check_name, conflict
from penstock.connectors.kafka_specs import Failures, KafkaSource, KafkaTarget, Reading, Startup
from penstock.errors import OptionError, PlanError
from penstock.formats.base import field
from penstock.formats.clickhouse import CLICKHOUSE_FORMATS
from penstock.model.option import OptionReader, OptionValue
from penstock.model.types import quote
from penstock.sql.clickhouse.types import default_sql
from penstock.sql.names import parts_of

if TYPE_CHECKING:
    from penstock.formats.clickhouse.base import ClickHouseFormat
    from penstock.model.table import Column, Table
    from penstock.model.types import DataType

_PREFIX = "properties."
_LETTERS = "penstock_dead_letter_topic"
# A broker without a port is asked at this one, as by ClickHouse's client.
_PORT = "9092"
_WITH_LEVELS = ("gzip", "lz4", "zstd")


class ClickHouseKafka(Connector):
    """Reads and writes one table's topics."""

    name = "clickhouse-kafka"
    HAS_BROKERS = True
    IN_WITH = False
    PROPERTY_NAMES: ClassVar[dict[str, str]] = {
        **CLIENT_PROPERTIES,
        "kafka_sasl_username": "sasl.jaas.config",
    }
    OPTIONS = tuple(SETTINGS.values())

    def __init__(self, table: Table, folders: tuple[str, ...] = ()) -> None:
        super().__init__(table, folders)
        self.table = with_virtual(table, self.metadata_keys())

    def read(self, options: OptionReader) -> None:
        """Pull every setting, whether it is an argument or stands in SETTINGS."""
        check_columns(self.table)
        values = read_settings(self.table)
        reader = OptionReader(self.table.name, values.values())
        self.settings: dict[str, Any] = {}
        for key, option in SETTINGS.items():
            self.settings[key] = reader.pull(option)
        added = {o.key: client_value(o) for o in reader.pull_prefix(_PREFIX)}
        self.brokers: str = added.pop("bootstrap.servers", self.settings["kafka_broker_list"])
        self.properties = self._client_properties(added)
        format_settings = (
            *_registry(values),
            *(
                OptionValue(prefix + value.key, value.value, value.span)
                for prefix in FORMAT_PREFIXES
                for value in reader.pull_prefix(prefix)
            ),
        )
        reader.finish()
        self._check_topics()
        check_together(self.table, self.settings)
        self.format = self._format(format_settings)
        self.notes = (
            *setting_notes(values, self.settings),
            *format_notes(values, type(self.format)),
        )

    def scan(self) -> ScanSpec:
        """The columns of a message, then what is known about it."""
        failures = self._failures()
        # The formats' own words for what becomes of a message.
        handler = {"none": "fail"}.get(failures.handler, failures.handler)
        rows = self.format.decode("value", self.table.physical, failures=(self.table.name, handler))
        source = KafkaSource(
            self.settings["kafka_topic_list"],
            None,
            tuple({**CONSUMER_DEFAULTS, **self._consumer_properties()}.items()),
            self._startup(),
            reading=self._reading(failures),
        )
        columns = tuple(
            (column.name, self._read(column, column.type), column.type)
            for column in self.table.columns
            if column.kind != "computed" and column.type is not None
        )
        secrets = self.format.secrets
        return ScanSpec(source, (("__value", rows),), columns, secrets=secrets)

    def sink(self) -> SinkSpec:
        """One topic only; `_key`, `_timestamp` and `_headers` may be those of the message."""
        topics = self.settings["kafka_topic_list"]
        if len(topics) != 1:
            raise PlanError("SINK_NEEDS_ONE_TOPIC", table=self.table.name)
        leave = self.settings["kafka_map_virtual_columns_on_write"]
        records, left = written(self.table, leave_payload=leave)
        payload = [(n, quote(n), type_) for n, type_ in self.table.physical if n not in left]
        properties = {**PRODUCER_DEFAULTS, **self.properties, **self._compression()}
        target = KafkaTarget(topics, None, tuple(properties.items()))
        spec = SinkSpec(target, (), secrets=self.format.secrets)
        rows = self.settings["kafka_max_rows_per_message"]
        if rows == 1:
            return replace(spec, columns=(("value", self.format.encode(payload)), *records))
        if not self.format.SEVERAL_ROWS:
            problem = f"A message of {self.format.name} has one row."
            instead = "Remove 'kafka_max_rows_per_message', or choose another format."
            raise conflict(self.table, "kafka_max_rows_per_message", problem, instead)
        batch, columns = self.format.message_of(payload, records, rows)
        return replace(spec, batch=batch, columns=columns)

    def metadata_keys(self) -> tuple[Metadata, ...]:
        """The virtual columns."""
        error = None
        if self.settings["kafka_handle_error_mode"] == "stream":
            error = self.format.decode_error("value", self.table.physical)
        return virtual(self.table.name, error)

    @property
    def client_id(self) -> str:
        """The name of the table's consumers: its own, else that which ClickHouse gives."""
        database, name = ("default", *parts_of(self.table.name))[-2:]
        named = f"ClickHouse-{socket.gethostname()}-{database}-{name}"
        return self.settings["kafka_client_id"] or named

    def _check_topics(self) -> None:
        topics, letters = self.settings["kafka_topic_list"], self.settings[_LETTERS]
        for topic in topics:
            check_name(self.table, "kafka_topic_list", topic, "; separate topics by ','")
        if not letters:
            return
        check_name(self.table, _LETTERS, letters)
        if self.settings["kafka_handle_error_mode"] != "dead_letter_queue":
            problem = (
                f"'{_LETTERS}' is used with 'kafka_handle_error_mode' = 'dead_letter_queue' only."
            )
            raise conflict(self.table, _LETTERS, problem, "Set that mode, or remove it.")
        if letters in topics:
            problem = f"'{_LETTERS}' is '{letters}', which the table reads."
            raise conflict(self.table, _LETTERS, problem, "Name another topic.")

    def _read(self, column: Column, type_: DataType) -> str:
        if column.kind == "metadata":
            return self.metadata(column, purpose="reading").read
        value = field("__value", column.name)
        if self.settings["kafka_handle_error_mode"] != "stream":
            return value
        # A column that stays empty has zeros: that is 1970 also where the type's default is 1900.
        empty = replace(type_, root="DATE") if type_.root == "DATE32" else type_
        return f"if({IS_BROKEN}, {default_sql(empty)}, {value})"

    def _format(self, settings: tuple[OptionValue, ...]) -> ClickHouseFormat:
        reader = OptionReader(self.table.name, settings)
        skipped_bytes = self.settings["kafka_schema_registry_skip_bytes"]
        format_ = CLICKHOUSE_FORMATS[self.settings["kafka_format"]]
        given = next((one.value for one in settings if one.key == FORMAT_SCHEMA), "")
        schema = self.settings["kafka_schema"] or given
        chosen = format_.of_table(reader, skipped_bytes, schema=schema, folders=self.folders)
        chosen.check_types(self.table.physical)
        return chosen

    def _startup(self) -> Startup:
        group = self.settings["kafka_group_name"]
        return Startup("group-offsets", group, reset="earliest", by_option=False)

    def _failures(self) -> Failures:
        mode = self.settings["kafka_handle_error_mode"]
        if mode == "stream":
            return Failures("stream")
        if mode == "dead_letter_queue":
            default = f"{self.settings['kafka_topic_list'][0]}.dead-letters"
            return Failures("kafka", self.settings[_LETTERS] or default)
        most = self.settings["kafka_skip_broken_messages"]
        return Failures("log", most_per_batch=most) if most else Failures()

    def _reading(self, failures: Failures) -> Reading:
        return Reading(
            headers=True,
            consumers=self.settings["kafka_num_consumers"],
            max_offsets_per_batch=self.settings["kafka_max_block_size"],
            flush_ms=self.settings["kafka_flush_interval_ms"],
            commits_bounded=self.settings["kafka_commit_on_select"],
            client_id=self.client_id,
            is_member=True,
            failures=failures,
        )

    def _consumer_properties(self) -> dict[str, str]:
        most = self.settings["kafka_poll_max_batch_size"]
        return {**self.properties, **({"max.poll.records": str(most)} if most else {})}

    def _compression(self) -> dict[str, str]:
        codec = self.settings["kafka_compression_codec"]
        level = self.settings["kafka_compression_level"]
        found = {"compression.type": codec} if codec else {}
        if codec in _WITH_LEVELS and level > 0:
            found[f"compression.{codec}.level"] = str(level)
        return found

    def _client_properties(self, added: dict[str, str]) -> dict[str, str]:
        """What the settings say in the client's words, over what was `added` to them."""
        named = {name: self.settings[key] for key, name in CLIENT_PROPERTIES.items()}
        found = {**added, **{name: value for name, value in named.items() if value}}
        if self.settings["kafka_sasl_username"]:
            found["sasl.jaas.config"] = self._login(found.get("sasl.mechanism", ""))
        if "security.protocol" in found:
            found["security.protocol"] = found["security.protocol"].upper()
        return {"bootstrap.servers": ",".join(map(_with_port, self.brokers.split(","))), **found}

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


def _with_port(broker: str) -> str:
    broker = broker.strip()
    return broker if re.search(r":[^\]]+$", broker) else f"{broker}:{_PORT}"


def _registry(values: dict[str, OptionValue]) -> tuple[OptionValue, ...]:
    """The registry of a table's own, under the name that the format knows it by."""
    found = values.get("kafka_format_avro_schema_registry_url")
    if found is None:
        return ()
    return (OptionValue(found.key.removeprefix("kafka_"), found.value, found.span),)
