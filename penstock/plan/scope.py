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
    """A column of a relation: `sql` reads it in Spark; `rowtime` marks its event time."""

    name: str
    type: DataType
    sql: str
    rowtime: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """Inputs in FROM order, each an alias and its fields."""

    inputs: tuple[tuple[str, tuple[Field, ...]], ...]

    @property
    def fields(self) -> tuple[Field, ...]:
        """All columns, in the order `*` gives them."""
        return tuple(field for _, fields in self.inputs for field in fields)

    def fields_of(self, alias: str, span: Span | None) -> tuple[Field, ...]:
        """The columns of one input, for `alias.*`."""
        for name, fields in self.inputs:
            if name == alias:
                return fields
        raise PlanError(
            "UNKNOWN_TABLE",
            span=span,
            table=alias,
            did_you_mean="",
            known=", ".join(name for name, _ in self.inputs),
        )

    def has_alias(self, alias: str) -> bool:
        """Whether an input goes by this name."""
        return any(name == alias for name, _ in self.inputs)

    def find(self, name: str, *, alias: str = "", span: Span | None = None) -> Field:
        """The one column of this name."""
        found = [
            (owner, field)
            for owner, fields in self.inputs
            for field in fields
            if field.name == name and alias in ("", owner)
        ]
        if len(found) == 1:
            return found[0][1]
        if found:
            choices = ", ".join(f"`{owner}.{name}`" for owner, _ in found)
            raise PlanError("AMBIGUOUS_COLUMN", span=span, column=name, choices=choices)
        known = [field.name for field in self.fields]
        near = difflib.get_close_matches(name, known, n=1)
        raise PlanError(
            "UNKNOWN_COLUMN",
            span=span,
            column=f"{alias}.{name}" if alias else name,
            did_you_mean=f" Did you mean `{near[0]}`?" if near else "",
            known=", ".join(known),
        )
