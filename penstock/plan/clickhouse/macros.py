"""Macros of the user's own in the settings of Kafka tables: `penstock.macros.NAME`.

They are filled in when a table is created, and it is kept so: who serves its views need not know
them. `{database}` and `{table}` are the table's own, and filled in by its connector.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.connectors.clickhouse_settings import ARGUMENTS, WITH_MACROS
from penstock.plan.settings import MACROS

if TYPE_CHECKING:
    from penstock.model.option import OptionValue
    from penstock.model.table import Table
    from penstock.plan.planning import Planning

_MACRO = re.compile(r"\{([^{}]*)\}")
_ARGUMENT = "engine."
_FILLED = (*WITH_MACROS, "kafka_format")


def with_macros(planning: Planning, table: Table) -> Table:
    """A Kafka table with the macros that were defined."""
    known = {
        key.removeprefix(MACROS): value
        for key, value in planning.effective.items()
        if key.startswith(MACROS)
    }
    if not known or table.option("engine") != "Kafka":
        return table
    options = tuple(_filled(o, known) if _setting(o.key) in _FILLED else o for o in table.options)
    return replace(table, options=options)


def _filled(option: OptionValue, known: dict[str, str]) -> OptionValue:
    value = _MACRO.sub(lambda found: known.get(found[1], found[0]), option.value)
    return replace(option, value=value)


def _setting(key: str) -> str:
    """The setting that an argument stands for by its place."""
    place = key.removeprefix(_ARGUMENT)
    is_argument = key.startswith(_ARGUMENT) and place.isdigit() and int(place) <= len(ARGUMENTS)
    return ARGUMENTS[int(place) - 1] if is_argument else key
