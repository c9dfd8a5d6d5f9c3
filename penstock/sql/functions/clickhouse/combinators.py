"""Aggregates with -OrNull and -OrDefault: what they give over no row at all; with -SimpleState.

-OrNull gives NULL, -OrDefault the default of the type, where `avg` alone gives NaN. -SimpleState
gives what the aggregate alone does, as a value of SimpleAggregateFunction.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.sql.clickhouse.type_reader import SIMPLE
from penstock.sql.clickhouse.types import default_sql
from penstock.sql.functions.clickhouse.aggregates import PLAIN, conditional
from penstock.sql.functions.clickhouse.base import AFTER, Table
from penstock.sql.functions.clickhouse.base import Signature as S

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.sql.functions.clickhouse.base import Typed

# suffix → whether no row gives NULL
_SUFFIXES = (("OrNull", True), ("OrDefault", False))
NAMES = ("count", "sum", "avg", "min", "max", "any", "anyLast", "argMin", "argMax", "uniq")
_COUNTS = ("count", "uniq")


def _with_rows(build: Typed, *, or_null: bool) -> Typed:
    """Rows with a NULL among the arguments do not count."""

    def build_or(arguments: Sequence[Expr]) -> Expr | None:
        found = build(arguments)
        if found is None:
            return None
        rows = f"count({', '.join(argument.sql for argument in arguments) or 1}){AFTER}"
        kept = found.type.nullable or or_null
        other = "NULL" if kept else default_sql(found.type)
        sql = f"CASE WHEN {rows} > 0 THEN {found.sql} ELSE {other} END"
        return Expr(sql, found.type.as_nullable(kept))

    return build_or


def _with_tested_rows(name: str, *, or_null: bool) -> Typed:
    """With -If inside, rows that do not meet the condition are rows, too.

    Only what -OrNull gives of a value, not of a count, is NULL where no row meets the condition.
    """
    build = PLAIN[name][1]
    if name in _COUNTS:
        return _with_rows(conditional(build), or_null=or_null)
    return conditional(_with_rows(build, or_null=True)) if or_null else _or_default_of_tested(build)


def _or_default_of_tested(build: Typed) -> Typed:
    """NULL is only what no row gives whose arguments are all there."""

    def build_plain(arguments: Sequence[Expr]) -> Expr | None:
        return conditional(build)([Expr(a.sql, a.type.as_nullable(False)) for a in arguments])

    def build_or(arguments: Sequence[Expr]) -> Expr | None:
        nullable = any(argument.type.nullable for argument in arguments)
        return _with_rows(build_plain, or_null=nullable)(arguments)

    return build_or


def _table() -> Table:
    table: Table = {}
    for name in NAMES:
        takes, build, gives, variadic = PLAIN[name]
        for suffix, or_null in _SUFFIXES:
            own = _with_rows(build, or_null=or_null)
            tested = _with_tested_rows(name, or_null=or_null)
            told = f"Nullable: {gives}" if or_null else gives
            both = (*takes, "UInt8")
            table[f"{name}{suffix}"] = (S(takes, own, told, variadic=variadic, lenient=True),)
            table[f"{name}{suffix}If"] = (S(both, conditional(own), told, lenient=True),)
            table[f"{name}If{suffix}"] = (S(both, tested, told, lenient=True),)
    for suffix, or_null in _SUFFIXES:
        own = _with_rows(PLAIN["count"][1], or_null=or_null)
        counted = S(("any",), own, "UInt64", lenient=True)
        table[f"count{suffix}"] = (*table[f"count{suffix}"], counted)
    return table


def _simple(name: str, build: Typed) -> Typed:
    def build_simple(arguments: Sequence[Expr]) -> Expr | None:
        found = build(arguments)
        return found and Expr(found.sql, replace(found.type, merged=name))

    return build_simple


def _simple_states() -> Table:
    table: Table = {}
    for name in [name for name in SIMPLE if name in PLAIN]:
        takes, build, _, _ = PLAIN[name]
        own, gives = _simple(name, build), f"SimpleAggregateFunction({name}, …)"
        table[f"{name}SimpleState"] = (S(takes, own, gives, lenient=True),)
        chosen = S((*takes, "UInt8"), conditional(own), gives, lenient=True)
        table[f"{name}SimpleStateIf"] = (chosen,)
    return table


COMBINED: Table = {**_table(), **_simple_states()}
