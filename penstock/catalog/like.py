"""CREATE TABLE … LIKE: what a table takes over from another one, by Flink's rules.

Features not named follow the default: options are overwritten, all else is included and may not be
declared again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.errors import PlanError

if TYPE_CHECKING:
    from penstock.model.option import OptionValue
    from penstock.model.span import Span
    from penstock.model.table import Column, Table, Watermark
    from penstock.sql.statements import Like

_DEFAULTS = {
    "CONSTRAINTS": "INCLUDING",
    "GENERATED": "INCLUDING",
    "METADATA": "INCLUDING",
    "OPTIONS": "OVERWRITING",
    "PARTITIONS": "INCLUDING",
    "WATERMARKS": "INCLUDING",
}
# kind of a column → the feature that decides about it; physical ones are always taken
_FEATURE = {"computed": "GENERATED", "metadata": "METADATA"}


def like(table: Table, base: Table, clause: Like) -> Table:
    """The table with what it takes over from `base`."""
    strategies = _strategies(clause)
    return replace(
        table,
        columns=_columns(table, base, strategies),
        options=_options(table, base, strategies["OPTIONS"]),
        watermark=_watermark(table, base, strategies["WATERMARKS"]),
        primary_key=_one_of(
            table.primary_key, base.primary_key, strategies, "CONSTRAINTS", clause.span
        ),
        partitioned_by=_one_of(
            table.partitioned_by, base.partitioned_by, strategies, "PARTITIONS", clause.span
        ),
    )


def _strategies(clause: Like) -> dict[str, str]:
    chosen = dict(clause.choices)
    everything = chosen.pop("ALL", None)
    defaults = dict.fromkeys(_DEFAULTS, everything) if everything else _DEFAULTS
    return {**{k: v for k, v in defaults.items() if v}, **chosen}


def _columns(table: Table, base: Table, strategies: dict[str, str]) -> tuple[Column, ...]:
    columns: dict[str, Column] = {}
    for column in base.columns:
        if strategies.get(_FEATURE.get(column.kind, ""), "INCLUDING") != "EXCLUDING":
            columns[column.name] = column
    for column in table.columns:
        feature = _FEATURE.get(column.kind, "")
        taken = columns.get(column.name)
        overwrites = feature and strategies[feature] == "OVERWRITING"
        if taken and not (overwrites and taken.kind == column.kind):
            advice = f"EXCLUDING {feature} or OVERWRITING {feature}" if feature else ""
            raise _exists(f"the column `{column.name}`", advice, column.span)
        columns[column.name] = column
    return tuple(columns.values())


def _options(table: Table, base: Table, strategy: str) -> tuple[OptionValue, ...]:
    taken = {} if strategy == "EXCLUDING" else {option.key: option for option in base.options}
    for option in table.options:
        if option.key in taken and strategy == "INCLUDING":
            what = f"the option '{option.key}'"
            raise _exists(what, "EXCLUDING OPTIONS or OVERWRITING OPTIONS", option.span)
        taken[option.key] = option
    return tuple(taken.values())


def _watermark(table: Table, base: Table, strategy: str) -> Watermark | None:
    if strategy == "EXCLUDING" or base.watermark is None:
        return table.watermark
    if table.watermark is None:
        return base.watermark
    if strategy == "OVERWRITING" and table.watermark.column == base.watermark.column:
        return table.watermark
    advice = "EXCLUDING WATERMARKS or OVERWRITING WATERMARKS"
    raise _exists(f"a watermark for `{base.watermark.column}`", advice, table.watermark.span)


def _one_of(
    own: tuple[str, ...],
    taken: tuple[str, ...],
    strategies: dict[str, str],
    feature: str,
    span: Span | None,
) -> tuple[str, ...]:
    if strategies[feature] == "EXCLUDING" or not taken:
        return own
    if own:
        what = "a primary key" if feature == "CONSTRAINTS" else "partitions"
        raise _exists(what, f"EXCLUDING {feature}", span)
    return taken


def _exists(what: str, advice: str, span: Span | None) -> PlanError:
    return PlanError(
        "INVALID_QUERY",
        span=span,
        problem=f"The base table of LIKE has {what} already.",
        instead=f"You may want {advice}." if advice else "Leave it out, or name it differently.",
    )
