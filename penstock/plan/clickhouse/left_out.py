"""What a materialized view's `*` has, and the table that it fills has not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.plan.clickhouse.rewrite import prepared, shown_name
from penstock.plan.clickhouse.stars import is_star, starred

if TYPE_CHECKING:
    from penstock.catalog.catalog import Catalog
    from penstock.model.span import Span
    from penstock.model.table import Table
    from penstock.plan.planning import Planning
    from penstock.plan.scope import Field

    # view → the table that it fills, the columns it fills, and those that it leaves out
    Given = dict[str, tuple[str, frozenset[str], frozenset[str]]]


def may_be_left_out(query: exp.Query, catalog: Catalog) -> set[str]:
    """The columns of a query that only the `*` of a table stands for; others are written."""
    copied = prepared(query, catalog)
    if not isinstance(copied, exp.Select):
        return set()
    items = (item for item in copied.expressions if not is_star(item))
    return starred(copied, catalog) - {shown_name(item, copied, catalog) for item in items}


def by_name(fields: tuple[Field, ...], query: exp.Query) -> dict[str, Field]:
    """Fields by their names: what is written before and behind stars wins over what they give."""
    while isinstance(query, exp.SetOperation):
        query = query.this
    items = query.selects
    stars = [at for at, item in enumerate(items) if is_star(item)]
    found = {field.name: field for field in fields}
    if stars:
        behind = len(fields) - (len(items) - stars[-1] - 1)
        written = (*fields[: stars[0]], *fields[behind:])
        found.update({field.name: field for field in written})
    return found


def stored_names(table: Table) -> set[str]:
    """The columns of a table but those of ALIAS, which nothing fills."""
    return {column.name for column in table.columns if column.kind != "computed"}


def given_to_tables(planning: Planning) -> Given:
    """What each view that is planned fills and leaves out."""
    found: Given = {}
    with planning.catalog.namespace.using():
        for query in planning.queries:
            if query.id in planning.views:
                table = planning.catalog.table(query.sink_table, None).table
                has = stored_names(table)
                names = frozenset(field.name for field in query.input.fields)
                found[query.id] = (query.sink_table, names & has, names - has)
    return found


def check_left_out(planning: Planning, before: Given, span: Span | None) -> None:
    """Only what a source has anew is left out, not what a view filled; and it is told."""
    for view, (table, _, left_out) in given_to_tables(planning).items():
        _, filled, known = before.get(view, ("", frozenset[str](), frozenset[str]()))
        if lost := sorted(filled & left_out):
            raise PlanError(
                "INVALID_QUERY",
                span=span,
                problem=f"Column `{lost[0]}` of table `{table}` does not exist any more, "
                f"and the materialized view `{view}` fills it.",
                instead=f"ALTER TABLE {view} MODIFY QUERY without it first.",
            )
        if fresh := sorted(left_out - known):
            names = ", ".join(f"`{name}`" for name in fresh)
            planning.note(f"The view `{view}` leaves out {names}: `{table}` has not.", span)
