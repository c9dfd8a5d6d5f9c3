"""Columns by what they are made of: expressions over the columns of tables.

On its way through a plan a column has names of the planner's and of the script's own. What a state
was made for does not depend on them.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from penstock.model.types import quote
from penstock.plan.nodes import (
    Aggregate,
    Join,
    Over,
    Project,
    Rank,
    Scan,
    SetOperation,
    Union,
    Unnest,
    Values,
    WindowAggregate,
)
from penstock.plan.walk import inputs

if TYPE_CHECKING:
    from penstock.plan.nodes import Named, Node

_NAME = re.compile(r"`(?:[^`]|``)+`")
# An expression that uses itself twice at every step doubles with each; its hash says as much.
_LONGEST = 500
_SHOWN = 200


class Origins:
    """The origins of the columns of one plan."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str], str] = {}

    def of(self, sql: str, node: Node) -> str:
        """An expression over the columns of a step, as one over the columns of tables."""
        return _short(_NAME.sub(lambda name: self._column(name[0], node), sql))

    def _column(self, name: str, node: Node) -> str:
        key = (id(node), name)
        if key not in self._known:
            self._known[key] = self._found(name, node)
        return self._known[key]

    def _found(self, name: str, node: Node) -> str:
        match node:
            case Scan():
                return self._read(name, node)
            case Values():
                return name
            case Project():
                return self._made(name, node.columns, node.input)
            case Over() if name in {quote(column) for column, _ in node.functions}:
                return self._made(name, node.functions, node.input)
            case Aggregate() | WindowAggregate():
                return self._made(name, (*node.keys, *node.aggregates), node.input)
            case Join():
                return self._joined(name, node)
            case Union() | SetOperation():
                return self._by_place(name, node)
            case Unnest() if name == quote(node.column):
                return f"an element of {self.of(node.collection.sql, node.input)}"
            case Rank() if name == quote(node.column):
                return "its number"
            case _:
                return self._column(name, inputs(node)[0])

    def _read(self, name: str, node: Scan) -> str:
        computed = {quote(column): expr.sql for column, expr in node.computed}
        if name in computed:
            return f"({self.of(computed[name], node)})"
        types = {field.sql: field.type.as_nullable() for field in node.fields}
        typed = f"{_bare(name)} {types[name]}" if name in types else _bare(name)
        return typed + from_metadata(_bare(name), node)

    def _made(self, name: str, named: Named, below: Node) -> str:
        made = {quote(column): expr.sql for column, expr in named}
        if name not in made:
            return name
        found = self.of(made[name], below)
        return found if _NAME.fullmatch(made[name]) else f"({found})"

    def _joined(self, name: str, node: Join) -> str:
        for side, letter, below in (("left", "l", node.left), ("right", "r", node.right)):
            for number, field in enumerate(below.fields):
                if name == quote(f"j{node.tag}{letter}{number}"):
                    return f"{side}.{self.of(field.sql, below)}"
        return name

    def _by_place(self, name: str, node: Union | SetOperation) -> str:
        place = next((n for n, field in enumerate(node.fields) if field.sql == name), None)
        if place is None:
            return name
        parts = (self.of(below.fields[place].sql, below) for below in inputs(node))
        return " or ".join(dict.fromkeys(parts))


def from_metadata(column: str, node: Scan) -> str:
    """Where a column comes from that is no part of a message's rows; "" for others."""
    key = dict(node.metadata).get(column)
    return f" METADATA FROM '{key}'" if key else ""


def _bare(name: str) -> str:
    return name[1:-1].replace("``", "`")


def _short(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return f"{text[:_SHOWN]}… ({digest})"
