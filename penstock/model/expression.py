"""A scalar expression ready for Spark: its SQL text and its type in the user's words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from penstock.model.types import DataType


@dataclass(frozen=True, slots=True)
class Expr:
    """`sql` is Spark SQL over the columns of the node's input."""

    sql: str
    type: DataType
