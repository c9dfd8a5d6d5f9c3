"""The names a query can use at one point: the columns of its inputs, with their types."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.errors import PlanError

if TYPE_CHECKING:
    from penstock.model.span import Span
    from penstock.model.types import DataType


@dataclass(frozen=True, slots=True)
class Field:
    """A column of a relation.

    `sql` reads it in Spark. `rowtime` names the hidden column that carries it as an event time;
    `window` says which bound of the row's window it is ("start" or "end"); `proctime` marks a
    processing time. A `hidden` column can be named but is not part of `*`.
    """

    name: str
    type: DataType
    sql: str
    rowtime: str = ""
    window: str = ""
    proctime: bool = False
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """Inputs in FROM order, each an alias and its fields.

    What is not found here is looked for in `outer`: the query that a subquery stands in.
    """

    inputs: tuple[tuple[str, tuple[Field, ...]], ...]
    outer: Scope | None = None
    common: tuple[str, ...] = ()

    @property
    def fields(self) -> tuple[Field, ...]:
        """All columns, hidden ones too."""
        return tuple(field for _, fields in self.inputs for field in fields)

    @property
    def star(self) -> tuple[Field, ...]:
        """The columns of `*`: those that a join shares by USING come first."""
        shown = [field for field in self.fields if not field.hidden]
        shared = [field for name in self.common for field in shown if field.name == name]
        return (*shared, *(field for field in shown if field not in shared))

    def fields_of(self, alias: str, span: Span | None) -> tuple[Field, ...]:
        """The columns of one input, for `alias.*`."""
        for name, fields in self.inputs:
            if name == alias:
                return tuple(f for f in fields if not f.hidden or f.name in self.common)
        raise PlanError(
            "UNKNOWN_TABLE",
            span=span,
            table=alias,
            did_you_mean="",
            known=", ".join(name for name, _ in self.inputs),
        )

    def has_alias(self, alias: str) -> bool:
        """Whether an input goes by this name."""
        return any(name == alias for name, _ in self.inputs) or bool(
            self.outer and self.outer.has_alias(alias)
        )

    def lookup(self, name: str, alias: str = "") -> list[tuple[str, Field]]:
        """Every column of this name with its input; a hidden one yields to a shown one."""
        found = [
            (owner, field)
            for owner, fields in self.inputs
            for field in fields
            if field.name == name and alias in ("", owner)
        ]
        shown = [pair for pair in found if not pair[1].hidden]
        found = shown or found
        return found or (self.outer.lookup(name, alias) if self.outer else [])

    def only(self, name: str, alias: str = "") -> Field | None:
        """The one column of this name; None if there is none, or more than one."""
        found = self.lookup(name, alias)
        return found[0][1] if len(found) == 1 else None

    def find(self, name: str, *, alias: str = "", span: Span | None = None) -> Field:
        """The one column of this name."""
        found = self.lookup(name, alias)
        if len(found) == 1:
            return found[0][1]
        if len({owner for owner, _ in found}) == 1 and any(field.window for _, field in found):
            raise PlanError(
                "INVALID_QUERY",
                span=span,
                problem=f"The window adds a column `{name}`, and its input has one of that name.",
                instead=f"Rename the input's own below the window: `SELECT {name} AS …`.",
            )
        if found:
            choices = ", ".join(f"`{owner}.{name}`" for owner, _ in found)
            raise PlanError("AMBIGUOUS_COLUMN", span=span, column=name, choices=choices)
        known = [field.name for field in self.star]
        near = difflib.get_close_matches(name, known, n=1)
        raise PlanError(
            "UNKNOWN_COLUMN",
            span=span,
            column=f"{alias}.{name}" if alias else name,
            did_you_mean=f" Did you mean `{near[0]}`?" if near else "",
            known=", ".join(known),
        )
