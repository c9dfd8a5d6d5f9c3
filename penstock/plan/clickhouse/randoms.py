"""A random call has one value in a row, however often Spark SQL repeats what it stands in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.sql.functions.clickhouse.base import EACH
from penstock.sql.functions.clickhouse.randoms import RANDOMS
from penstock.sql.spans import node_span
from penstock.sql.time_text import bound

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from penstock.model.span import Span
    from penstock.plan.expressions import ExpressionCompiler

_DRAWN = re.compile(r"\b(?:rand|uuid)\(\)")
_CLOCK = re.compile(r"\b(?:current_timestamp|current_date|localtimestamp|now|unix_timestamp)\(\)")
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|`[^`]*`", re.DOTALL)
_NAMES = {name.lower() for name in RANDOMS}


def draws(sql: str) -> int:
    """How many random values it takes."""
    return len(_DRAWN.findall(sql))


def is_steady(sql: str) -> bool:
    """Whether it has the same value of the same row each time: no chance, and no clock."""
    text = _QUOTED.sub("", sql)
    return not draws(text) and not _CLOCK.search(text)


def random_calls(node: exp.Expr) -> list[exp.Expr]:
    """The calls in it that have one value in a row: a lambda's have one for each element."""
    parts = node.walk(prune=lambda n: isinstance(n, exp.Lambda | exp.Query))
    return [n for n in parts if isinstance(n, exp.Anonymous) and n.name.lower() in _NAMES]


def drawn_once(handler: Callable[..., Expr]) -> Callable[..., Expr]:
    """A handler that binds the random values which it would repeat."""

    def compile_(compiler: ExpressionCompiler, node: exp.Expr) -> Expr:
        found = handler(compiler, node)
        if not draws(found.sql):
            return found
        calls = [call for call in random_calls(node) if id(call) not in compiler.given]
        if any(call is node for call in calls):
            return found
        values = [compiler.compile(call) for call in calls]
        if draws(found.sql) <= sum(draws(value.sql) for value in values):
            return found
        names = [f"{EACH}_random_{at}" for at in range(len(calls))]
        for call, name, value in zip(calls, names, values, strict=True):
            compiler.given[id(call)] = Expr(name, value.type)
        sql = handler(compiler, node).sql
        for call, name, value in zip(calls, names, values, strict=True):
            del compiler.given[id(call)]
            sql = bound(name, value.sql, sql)
        return Expr(sql, found.type)

    return compile_


def refuse_repeats(query: exp.Expr, named: Mapping[str, exp.Expr]) -> None:
    """`WITH rand() AS r` names one value, which would be another one in each place."""
    for name in (name for name, value in named.items() if random_calls(value)):
        uses = [c for c in query.find_all(exp.Column) if c.parts[0].name == name]
        if len(uses) > 1:
            raise drawn_again(name, node_span(uses[1]))


def drawn_again(name: str, span: Span | None) -> PlanError:
    """The error for a name of a random value that stands for another one where it is used."""
    return PlanError(
        "UNSUPPORTED_QUERY",
        span=span,
        feature=f"The random value `{name}` in another expression",
        instead="Compute it in a subquery: SELECT … FROM (SELECT …, rand() AS r FROM …).",
    )
