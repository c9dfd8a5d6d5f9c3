"""Values as ClickHouse prints them, and texts as Spark SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.types import literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.model.expression import Expr

_ZEROS = literal(r"\.?0+$")
_ZERO = literal(r"\.0$")
# Beyond these ClickHouse writes an exponent; Spark does so beyond others.
_PLAIN, _SMALL, _LARGE = "1e-3", "1e-6", "1e21"


def number_text(value: Expr) -> str:
    """A Float or Decimal as text: no zeros at the end, an exponent only where it must be."""
    text = f"CAST({value.sql} AS STRING)"
    if value.type.root == "DECIMAL":
        return f"if({text} LIKE '%.%', regexp_replace({text}, {_ZEROS}, ''), {text})"
    size = f"abs(CAST({value.sql} AS DOUBLE))"
    digits = {"small": 32, "large": 16}
    small, large = (
        f"regexp_replace(CAST(CAST({text} AS DECIMAL(38, {n})) AS STRING), {_ZEROS}, '')"
        for n in digits.values()
    )
    return (
        f"CASE WHEN isnan({value.sql}) THEN 'nan' "
        f"WHEN {size} = CAST('Infinity' AS DOUBLE) THEN if({value.sql} > 0, 'inf', '-inf') "
        f"WHEN {text} NOT LIKE '%E%' THEN regexp_replace({text}, {_ZERO}, '') "
        f"WHEN {size} >= {_SMALL}D AND {size} < 1D THEN {small} "
        f"WHEN {size} >= 1D AND {size} < {_LARGE}D THEN {large} "
        f"ELSE lower(replace({text}, '.0E', 'E')) END"
    )


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
