"""Values as ClickHouse prints them, and texts as Spark SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.types import literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.model.expression import Expr

_ZEROS = literal(r"\.?0+$")


def number_text(value: Expr) -> str:
    """A Float or Decimal as text: no zeros at the end, no more digits than tell it from others."""
    if value.type.root == "DECIMAL":
        text = f"CAST({value.sql} AS STRING)"
        return f"if({text} LIKE '%.%', regexp_replace({text}, {_ZEROS}, ''), {text})"
    name = "narrow" if value.type.root == "FLOAT" else "wide"
    return f"penstock_float_text_{name}(CAST({value.sql} AS {value.type.root}))"


def enum_number(value: Expr) -> str:
    """The number of an Enum's name, as INT."""
    numbers = quoted_map([(name, number) for name, number in value.type.labels])
    return f"try_element_at({numbers}, {value.sql})"


def quoted_map(pairs: Sequence[tuple[object, object]]) -> str:
    """A Spark map of constants."""
    parts = (_constant(part) for pair in pairs for part in pair)
    return f"map({', '.join(parts)})"


def _constant(value: object) -> str:
    return literal(value) if isinstance(value, str) else str(value)
