"""What a table's declaration must agree with itself about, whatever its connector."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.errors import PlanError

if TYPE_CHECKING:
    from penstock.model.span import Span
    from penstock.model.table import Column, Table


def check_table(table: Table) -> Table:
    """The table with the key's columns NOT NULL; a key or partition of no column is refused."""
    names = {column.name: column for column in table.columns}
    for kind, columns, span in (
        ("PRIMARY KEY", table.primary_key, table.key_place),
        ("PARTITIONED BY", table.partitioned_by, table.span),
    ):
        for position, name in enumerate(columns):
            if name not in names:
                problem = f"{kind} names the column `{name}`, which the table does not have."
                raise _refused(problem, span)
            if name in columns[:position]:
                raise _refused(f"{kind} names the column `{name}` twice.", span)
    for name in table.primary_key:
        if names[name].kind != "physical":
            problem = f"PRIMARY KEY names `{name}`, which is a {names[name].kind} column."
            raise _refused(problem, table.key_place)
    return replace(table, columns=tuple(_required(c, table.primary_key) for c in table.columns))


def _required(column: Column, key: tuple[str, ...]) -> Column:
    if column.name not in key or column.type is None:
        return column
    return replace(column, type=column.type.as_nullable(False))


def _refused(problem: str, span: Span | None) -> PlanError:
    return PlanError("INVALID_QUERY", span=span, problem=problem, instead="")
