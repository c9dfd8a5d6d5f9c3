"""What a join goes by: its equalities, and which of several rows is the nearest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from penstock.model.expression import Expr
    from penstock.plan.scope import Field


@dataclass(frozen=True, slots=True)
class Equality:
    """A condition of a join: something of the left side equals something of the right.

    Where that is a column, it is here as its side has it. `text` is what the script says.
    """

    condition: str
    left: Field | None
    right: Field | None
    text: str
    null_safe: bool = False


@dataclass(frozen=True, slots=True)
class Nearest:
    """Of the right rows whose `right` lies in a direction of the `left` row's, the nearest."""

    left: Expr
    right: Expr
    direction: str
    exact: bool
