"""Rows on their way to a table that takes no NULL in some columns: refused, or left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from penstock.model.changelog import KIND_COLUMN, ChangelogMode, RowKind
from penstock.model.types import literal, quote

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from penstock.plan.query import Query

_PRESENT = tuple(list(RowKind).index(kind) for kind in (RowKind.INSERT, RowKind.UPDATE_AFTER))


def enforced(rows: DataFrame, query: Query) -> DataFrame:
    """The rows that the table of a query may have; of what goes, mostly only the key counts."""
    wrong = {name: _is_wrong(name, query, rows) for name in query.not_null}
    if query.drops_nulls:
        for condition in wrong.values():
            rows = rows.where(f"NOT ({condition})")
        return rows
    for name, condition in wrong.items():
        rows = rows.withColumn(name, F.expr(_or_error(name, query, condition)))
    return rows


def _is_wrong(name: str, query: Query, rows: DataFrame) -> str:
    condition = f"{quote(name)} IS NULL"
    # A row that was left out does not go either, unless what goes is told by its key.
    by_key = ChangelogMode.UPSERT in query.spec.accepts or not query.drops_nulls
    if KIND_COLUMN in rows.columns and by_key and name not in query.primary_key:
        return f"{condition} AND {KIND_COLUMN} IN {_PRESENT}"
    return condition


def _or_error(name: str, query: Query, wrong: str) -> str:
    problem = f"Column '{name}' is NOT NULL, however, a null value is being written into it: "
    why = " by its PRIMARY KEY" if name in query.primary_key else ""
    problem += f"table `{query.sink_table}`{why}."
    return f"IF({wrong}, raise_error({literal(problem)}), {quote(name)})"
