"""`SETTINGS a = 1` behind a query or an INSERT: kept in the query, read back by the planner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.model.option import OptionValue
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Iterable

_TRUTHS = {True: "1", False: "0"}


def with_settings(query: exp.Query, settings: Iterable[OptionValue]) -> exp.Query:
    """The query with settings beside its own."""
    added = [
        exp.EQ(this=exp.column(one.key), expression=exp.Literal.string(one.value))
        for one in settings
    ]
    if added:
        query.set("settings", [*added, *(query.args.get("settings") or [])])
    return query


def settings_of(query: exp.Query) -> tuple[OptionValue, ...]:
    """The settings of a query and of all that stands in it."""
    return tuple(one for part in query.find_all(exp.Query) for one in own_settings(part))


def own_settings(part: exp.Expr) -> tuple[OptionValue, ...]:
    """The settings of one part of a query."""
    return tuple(
        OptionValue(one.this.name, _text(one.expression), node_span(one))
        for one in part.args.get("settings") or ()
        if isinstance(one, exp.EQ)
    )


def _text(value: exp.Expr) -> str:
    if isinstance(value, exp.Boolean):
        return _TRUTHS[bool(value.this)]
    return f"-{value.this.name}" if isinstance(value, exp.Neg) else value.name
