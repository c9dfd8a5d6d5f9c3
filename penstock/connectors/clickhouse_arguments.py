"""Arguments and SETTINGS of `ENGINE = Kafka(…)` → settings by name, as ClickHouse reads them."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Any

from penstock.connectors.clickhouse_settings import ARGUMENTS, SETTINGS, WITH_MACROS
from penstock.connectors.kafka_rules import conflict
from penstock.errors import OptionError
from penstock.formats.clickhouse import CLICKHOUSE_FORMATS
from penstock.model.option import OptionValue
from penstock.sql.names import parts_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.model.table import Table

# The highest level of a codec.
_LEVELS = {"none": 0, "gzip": 9, "snappy": 0}
_MOST_LEVEL = 12
_MACRO = re.compile(r"\{([^{}]*)\}")


def read_settings(table: Table) -> dict[str, OptionValue]:
    """All settings by name; arguments count as the setting of their place."""
    found: dict[str, OptionValue] = {}
    for option in table.options:
        if option.key in ("connector", "engine"):
            continue
        key, number = _argument(table, option)
        if key in found:
            _refuse_twice(table, option, key, number)
        found[key] = OptionValue(key, _filled(table, key, option), option.span)
    _check_required(table, found)
    _check_format(table, found["kafka_format"])
    return found


def _argument(table: Table, option: OptionValue) -> tuple[str, int]:
    if not option.key.startswith("engine."):
        return option.key, 0
    number = int(option.key.removeprefix("engine."))
    if number > len(ARGUMENTS):
        raise OptionError(
            "CONFLICTING_OPTIONS",
            span=option.span,
            table=table.name,
            conflict=f"Kafka(…) takes {len(ARGUMENTS)} arguments at most.",
            instead="Name the others in SETTINGS.",
        )
    return ARGUMENTS[number - 1], number


def _refuse_twice(table: Table, option: OptionValue, key: str, number: int) -> None:
    place = number or ARGUMENTS.index(key) + 1
    raise OptionError(
        "CONFLICTING_OPTIONS",
        span=option.span,
        table=table.name,
        conflict=f"The argument №{place} of storage Kafka and the parameter '{key}' cannot be "
        "specified at the same time.",
        instead="Say it once.",
    )


def _filled(table: Table, key: str, option: OptionValue) -> str:
    """The value with `{database}` and `{table}` filled in."""
    if key not in WITH_MACROS:
        return option.value
    database, name = ("default", *parts_of(table.name))[-2:]
    macros = {"database": database, "table": name}
    for macro in _MACRO.findall(option.value):
        if macro not in macros:
            raise OptionError(
                "INVALID_OPTION_VALUE",
                span=option.span,
                table=table.name,
                option=key,
                value=option.value,
                expected=f"a known macro. {{database}} and {{table}} are; define {{{macro}}} by "
                f"--set penstock.macros.{macro}=VALUE, or SET penstock.macros.{macro} = 'VALUE' "
                "in front of the table",
            )
    return _MACRO.sub(lambda match: macros[match[1]], option.value)


def _check_required(table: Table, values: dict[str, OptionValue]) -> None:
    for key, option in SETTINGS.items():
        if option.required and key not in values:
            place = ARGUMENTS.index(key) + 1
            raise OptionError(
                "MISSING_OPTION",
                table=table.name,
                option=key,
                instead=f"Add it to SETTINGS, or as argument {place} of Kafka(…).",
            )


def _check_format(table: Table, option: OptionValue) -> None:
    if option.value not in CLICKHOUSE_FORMATS:
        lowered = {name.lower(): name for name in CLICKHOUSE_FORMATS}
        near = difflib.get_close_matches(option.value.lower(), lowered, n=1)
        raise OptionError(
            "UNKNOWN_FORMAT",
            span=option.span,
            table=table.name,
            format=option.value,
            did_you_mean=f" Did you mean '{lowered[near[0]]}'?" if near else "",
            supported=", ".join(CLICKHOUSE_FORMATS),
        )


def check_together(table: Table, settings: Mapping[str, Any]) -> None:
    """Refuse settings that do not go together."""
    if bool(settings["kafka_keeper_path"]) != bool(settings["kafka_replica_name"]):
        problem = "'kafka_keeper_path' and 'kafka_replica_name' are given together or not at all."
        raise conflict(table, "kafka_keeper_path", problem, "Add the other one, or remove it.")
    pause, pool = "kafka_consumer_reschedule_ms", "kafka_consumers_pool_ttl_ms"
    if settings[pause] > settings[pool]:
        problem = f"'{pause}' is greater than '{pool}' ({settings[pool]})."
        raise conflict(table, pause, problem, "Make it smaller.")
    codec, level = settings["kafka_compression_codec"], settings["kafka_compression_level"]
    most = _LEVELS.get(codec, _MOST_LEVEL)
    if not -1 <= level <= most:
        problem = f"'kafka_compression_level' of '{codec or 'any codec'}' is from -1 to {most}."
        raise conflict(table, "kafka_compression_level", problem, "Choose one of these.")


def check_columns(table: Table) -> None:
    """Columns are plain or ALIAS."""
    for column in table.columns:
        if column.default_kind:
            raise OptionError(
                "CONFLICTING_OPTIONS",
                span=column.span,
                table=table.name,
                conflict="KafkaEngine doesn't support DEFAULT/MATERIALIZED/EPHEMERAL "
                f"expressions for columns; `{column.name}` is {column.default_kind}.",
                instead="Compute it in the materialized view, or declare it as ALIAS.",
            )
