"""ClickHouse's joins in the planner's words: ANY, SEMI, ANTI and ARRAY JOIN said otherwise.

ANY and SEMI are a join with one row of each key; ANTI keeps the rows that found no partner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.plan.clickhouse.aliases import dotted
from penstock.plan.clickhouse.stars import source_columns
from penstock.plan.join_scope import NULLED
from penstock.plan.joins import ASOF, NULLS
from penstock.plan.relations import WHOLE
from penstock.plan.settings import JOIN_NULLS
from penstock.plan.terms import conjuncts
from penstock.sql.clickhouse.dialect import LimitBy
from penstock.sql.clickhouse.query_settings import own_settings
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.catalog.catalog import Catalog

# A column that is there for the planner only: `*` passes over it.
HIDDEN = "__hidden"
_PLAIN = ("", "INNER", "OUTER", "ALL")
# (side, kind) → which sides have one row of each key, and how they are joined then
_SINGLE = {
    ("LEFT", "ANY"): ("r", "LEFT"),
    ("RIGHT", "ANY"): ("l", "RIGHT"),
    ("", "ANY"): ("lr", ""),
    ("LEFT", "SEMI"): ("r", ""),
    ("", "SEMI"): ("r", ""),
    ("RIGHT", "SEMI"): ("l", ""),
    ("LEFT", "ANTI"): ("r", "LEFT"),
    ("", "ANTI"): ("r", "LEFT"),
    ("RIGHT", "ANTI"): ("l", "RIGHT"),
}
_INSTEAD = "INNER, CROSS, LEFT, RIGHT, FULL, ANY, SEMI, ANTI, ASOF and ARRAY JOIN are supported."


def mark_nulls(query: exp.Query) -> None:
    """Where `join_use_nulls` is set, by a query or by one around it, its joins say so.

    A side that a row could lack is Nullable then, also where SEMI leaves out such rows.
    """
    for select in query.find_all(exp.Select):
        if _uses_nulls(select):
            for join in select.args.get("joins") or []:
                join.meta[NULLS] = NULLED.get((join.side or "").upper(), "")


def _uses_nulls(select: exp.Expr | None) -> bool:
    while select is not None:
        said = [one for one in own_settings(select) if one.key == JOIN_NULLS]
        if said:
            return said[-1].value in ("1", "true")
        select = select.parent
    return False


def rewrite_joins(select: exp.Select, catalog: Catalog) -> None:
    """Every join of a query as one of the standard's."""
    for position, join in enumerate(list(select.args.get("joins") or [])):
        join.set("global_", None)
        kind, side = _words(join)
        if kind == "ARRAY":
            _array_join(select, join, position, catalog)
        elif kind in _PLAIN:
            join.set("kind", None)
        elif kind == ASOF and side in ("", "LEFT"):
            join.set("kind", None)
            join.set("method", ASOF)
        elif (side, kind) in _SINGLE:
            _single(select, join, position)
        elif kind != "CROSS":
            raise _refused(join, f"{side} {kind} JOIN".strip(), _INSTEAD)


def _words(join: exp.Join) -> tuple[str, str]:
    """Kind and side; `ANY INNER JOIN` has no side."""
    return (join.kind or "").upper(), (join.side or "").upper().replace("INNER", "")


def _refused(node: exp.Expr, feature: str, instead: str) -> PlanError:
    return PlanError("UNSUPPORTED_QUERY", span=node_span(node), feature=feature, instead=instead)


def _single(select: exp.Select, join: exp.Join, position: int) -> None:
    kind, side = _words(join)
    sides, standard = _SINGLE[side, kind]
    if "l" in sides and position:
        instead = "Write the tables before it as a subquery."
        raise _refused(join, f"{side} {kind} JOIN behind another join".strip(), instead)
    start = select.args["from_"]
    names = {"l": start.this.alias_or_name, "r": join.this.alias_or_name}
    found = f"{HIDDEN}{position}" if kind == "ANTI" else ""
    for one in sides:
        keys = _keys(join, names[one], names["r" if one == "l" else "l"])
        place = start if one == "l" else join
        place.set("this", _one_of_each(place.this, keys, found))
    join.set("kind", None)
    join.set("side", standard or None)
    if found:
        # A side that a row lacks has zeros, or NULL.
        mark = exp.column(found, table=names["r" if side != "RIGHT" else "l"])
        zero = exp.Literal.number(0)
        known = exp.Anonymous(this="ifNull", expressions=[mark, zero])
        absent = exp.EQ(this=known, expression=zero.copy())
        where = select.args.get("where")
        condition = exp.and_(where.this, absent, copy=False) if where else absent
        select.set("where", exp.Where(this=condition))


def _keys(join: exp.Join, own: str, other: str) -> list[exp.Expr]:
    """What of one side the condition says equals something of the other."""
    if using := join.args.get("using"):
        return [exp.column(name.name, table=own) for name in using]
    keys = []
    for term in conjuncts(join.args["on"]) if join.args.get("on") else []:
        sides = [term.this, term.expression] if isinstance(term, exp.EQ) else []
        tables = [{column.table for column in side.find_all(exp.Column)} for side in sides]
        if tables not in ([{own}, {other}], [{other}, {own}]):
            raise _refused(
                term,
                f"ON with anything but equalities of two tables' columns in a {join.kind} JOIN",
                f"Write ON {own}.a = {other}.b AND ….",
            )
        keys.append(sides[0] if tables[0] == {own} else sides[1])
    return keys


def _one_of_each(table: exp.Expr, keys: list[exp.Expr], found: str) -> exp.Subquery:
    """`(SELECT * FROM table LIMIT 1 BY keys) AS table`."""
    alias = table.alias_or_name
    marks = [exp.alias_(exp.Literal.number(1), found)] if found else []
    inner = exp.Select(expressions=[exp.Star(), *marks])
    inner.set("from_", exp.From(this=table.copy()))
    by = [key.copy() for key in keys]
    inner.set("limit_by", LimitBy(this=exp.Literal.number(1), expressions=by))
    return exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier(alias)))


def _array_join(select: exp.Select, join: exp.Join, position: int, catalog: Catalog) -> None:
    """`ARRAY JOIN a AS x, b AS y` is `CROSS JOIN UNNEST(arrayZip(a, b))`, its elements by name."""
    items = [join.this, *join.expressions]
    pairs = [pair for item in items for pair in _arrays(item, select, catalog)]
    name = f"{HIDDEN}{position}"
    zipped = len(pairs) > 1
    arrays = [array.copy() for array, _ in pairs]
    array = exp.Anonymous(this="arrayZip", expressions=arrays) if zipped else arrays[0]
    table = exp.TableAlias(
        this=exp.to_identifier(f"__unnest{position}"), columns=[exp.to_identifier(name)]
    )
    unnest = exp.Unnest(expressions=[array], alias=table)
    unnest.meta[WHOLE] = True
    side = "LEFT" if (join.side or "").upper() == "LEFT" else None
    join.replace(exp.Join(this=unnest, side=side, kind=None if side else "CROSS"))
    for place, (_, shown) in enumerate(pairs, 1):
        element: exp.Expr = exp.column(name)
        if zipped:
            number = exp.Literal.number(place)
            element = exp.Anonymous(this="tupleElement", expressions=[element, number])
        _replace(select, position, shown, element)


def _replace(select: exp.Select, position: int, shown: exp.Column, element: exp.Expr) -> None:
    """The element in place of the name that stands for it, also in joins that come later."""
    names = [part.name for part in shown.parts]
    later = [part for join in select.args["joins"][position + 1 :] for part in _columns_in(join)]
    for column in [*_own_columns(select), *later]:
        parts = [part.name for part in column.parts]
        if parts[: len(names)] != names:
            continue
        found = dotted(element, column.parts[len(names) :])
        is_item = column.parent is select and column.arg_key == "expressions"
        column.replace(exp.alias_(found, names[-1], quoted=True) if is_item else found)


def _own_columns(select: exp.Select) -> Iterator[exp.Column]:
    """The columns that a query names itself, outside its FROM."""
    parts = ("expressions", "where", "group", "having", "qualify", "order", "limit_by")
    for key in parts:
        found = select.args.get(key) or []
        for part in found if isinstance(found, list) else [found]:
            yield from _columns_in(part)


def _columns_in(part: exp.Expr) -> Iterator[exp.Column]:
    inner = part.walk(prune=lambda node: isinstance(node, exp.Query))
    yield from (node for node in inner if isinstance(node, exp.Column))


def _arrays(
    item: exp.Expr, select: exp.Select, catalog: Catalog
) -> list[tuple[exp.Expr, exp.Column]]:
    """The arrays of an item, each with the name of its elements; a Nested has several."""
    array, alias = (item.this, item.alias) if isinstance(item, exp.Alias) else (item, "")
    if not isinstance(array, exp.Column):
        if not alias:
            raise _refused(item, "ARRAY JOIN of an expression without a name", "Write … AS name.")
        return [(array, exp.column(alias))]
    source = select.args["from_"].this
    prefix = f"{array.name}."
    known = source_columns(source, catalog) if isinstance(source, exp.Table) else []
    nested = [name.removeprefix(prefix) for name in known if name.startswith(prefix)]
    if array.name in known or not nested:
        return [(array, exp.column(alias) if alias else array)]
    return [
        (exp.column(one, table=array.name), exp.column(one, table=alias or array.name))
        for one in nested
    ]
