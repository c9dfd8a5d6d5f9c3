"""SELECT → a plan: FROM and its joins, WHERE, GROUP BY, HAVING, OVER, the columns, DISTINCT."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import quote
from penstock.plan.above_groups import above_groups
from penstock.plan.aggregate import (
    AggregateCompiler,
    aggregate,
    group_keys,
    is_aggregate,
    is_window_grouping,
)
from penstock.plan.grouping import SET_COLUMN, GroupingSets, grouped_by, grouping_sets
from penstock.plan.infer import kept_order
from penstock.plan.nodes import Filter, Node, Project
from penstock.plan.over import add_over
from penstock.plan.relations import Relation, unsupported
from penstock.plan.scope import Field, Scope
from penstock.plan.sets import distinct_rows
from penstock.plan.sort import sorted_rows
from penstock.plan.subqueries import add_scalars, subquery_filter
from penstock.plan.terms import conjuncts, has_subquery, resolves
from penstock.plan.values import one_row
from penstock.plan.windows import group_window, is_group_window
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.plan.build import Builder, Withs
    from penstock.plan.expressions import ExpressionCompiler

# Columns that a rewritten query has for itself.
_HIDDEN = "__hidden"
_NEVER = {
    "qualify": ("QUALIFY", "Filter the ROW_NUMBER() of a subquery with WHERE."),
    "match": ("MATCH_RECOGNIZE", "Spark has no pattern matching over rows."),
    "laterals": ("LATERAL VIEW", "Use CROSS JOIN UNNEST(…)."),
}


def select(builder: Builder, query: exp.Select, withs: Withs) -> Node:
    """The plan of one SELECT."""
    if parted := _parted(builder, query):
        return select(builder, parted, withs)
    relation = source(builder, query, withs)
    items = query.expressions
    compiler: ExpressionCompiler
    if query.args.get("group") or _aggregates(builder, query):
        compiler, node = _grouped(builder, query, relation, withs)
    elif query.args.get("having"):
        raise unsupported(query.args["having"], "HAVING without GROUP BY", "Use WHERE.")
    else:
        relation = add_scalars(builder, relation, items, withs)
        compiler, node = relation.compiler(builder), relation.node
        node = add_over(query, compiler, node)
    projected = project(items, compiler, node)
    if query.args.get("distinct"):
        _refuse_distinct_on(query)
        return sorted_rows(builder, query, distinct_rows(projected))
    return sorted_rows(builder, query, projected, compiler)


def source(
    builder: Builder, query: exp.Select, withs: Withs, correlated: list[exp.Expr] | None = None
) -> Relation:
    """FROM, its joins and WHERE; terms that speak of an outer query are put into `correlated`."""
    for clause, (name, advice) in _NEVER.items():
        found = query.args.get(clause)
        if found:
            raise unsupported(found[0] if isinstance(found, list) else found, name, advice)
    where = query.args.get("where")
    terms = conjuncts(where.this) if where else []
    simple = [term for term in terms if not has_subquery(term)]
    start = query.args.get("from_")
    if start is None:
        relation = Relation(one_row(), Scope(()))
    else:
        joins = query.args.get("joins") or []
        relation, simple = builder.joined(start.this, joins, withs, pool=simple)
    if correlated is not None:
        correlated += [term for term in simple if not resolves(term, relation.scope)]
        simple = [term for term in simple if resolves(term, relation.scope)]
    relation = builder.filtered(relation, simple)
    for term in terms:
        if has_subquery(term):
            relation = subquery_filter(builder, relation, term, withs)
    return relation


def _refuse_distinct_on(query: exp.Select) -> None:
    if query.args["distinct"].args.get("on"):
        raise unsupported(
            query.args["distinct"], "DISTINCT ON", "Use ROW_NUMBER() OVER (…) and WHERE rn = 1."
        )


def _aggregates(builder: Builder, query: exp.Select) -> bool:
    items = [*query.expressions, *([query.args["having"]] if query.args.get("having") else [])]
    parts = (part for item in items for part in item.walk(prune=_is_query))
    return any(is_aggregate(part, builder.language) for part in parts)


def _parted(builder: Builder, query: exp.Select) -> exp.Select | None:
    """A query over groups that asks others, as two."""
    if not query.args.get("group") and not _aggregates(builder, query):
        return None
    return above_groups(query, grouped_by(query, builder.language), builder.language)


def _is_query(node: exp.Expr) -> bool:
    return isinstance(node, exp.Query)


def _grouped(
    builder: Builder, query: exp.Select, relation: Relation, withs: Withs
) -> tuple[AggregateCompiler, Node]:
    keys, sets = grouping_sets(grouped_by(query, builder.language))
    older = [key for key in keys if is_group_window(key)]
    if len(older) > 1:
        raise unsupported(older[1], "A second window in GROUP BY", "Group by one window.")
    if older:
        relation = _with_group_window(older[0], relation)
    scope, node = relation.scope, relation.node
    windowed = bool(older) or is_window_grouping(keys, scope)
    named = group_keys(keys, scope, builder.language, windowed=windowed)
    if windowed and not older:
        _check_sets(sets, scope)
    chosen = _sets(sets, named, scope, builder)
    compiler = AggregateCompiler(
        scope,
        builder.language,
        keys=named,
        windows=older,
        windowed=windowed,
        sets=chosen,
        order=kept_order(node),
    )
    having = query.args.get("having")
    # Compiled before the node is made: each aggregate met on the way becomes one of its columns.
    condition = compiler.condition(having.this) if having else None
    order = query.args.get("order")
    for part in [*query.expressions, *([order] if order else [])]:
        _note_aggregates(part, compiler, builder)
    grouped: Node = _group(node, named, compiler, chosen, windowed=windowed)
    if having and condition:
        text = having.this.sql(dialect=builder.language.name, comments=False)
        grouped = Filter(grouped, condition, text, grouped.fields)
    return compiler, add_over(query, compiler, grouped)


def _check_sets(sets: list[list[exp.Expr]], scope: Scope) -> None:
    for chosen in sets:
        if not is_window_grouping(chosen, scope):
            raise unsupported(
                chosen[0] if chosen else sets[0][0],
                "A grouping set that leaves out the window of another",
                "Write window_start, window_end before GROUPING SETS.",
            )


def _note_aggregates(part: exp.Expr, compiler: AggregateCompiler, builder: Builder) -> None:
    def ends(node: exp.Expr) -> bool:
        return _is_query(node) or is_aggregate(node, builder.language)

    for node in part.walk(prune=ends):
        if is_aggregate(node, builder.language):
            compiler.compile(node)


def _group(
    node: Node,
    named: dict[str, tuple[str, Expr]],
    compiler: AggregateCompiler,
    sets: GroupingSets | None,
    *,
    windowed: bool,
) -> Node:
    if sets is None:
        return aggregate(node, named, compiler, windowed=windowed)
    keys = {sql: (name, sets.key(name, expr)) for sql, (name, expr) in named.items()}
    keys[SET_COLUMN] = (SET_COLUMN, sets.number)
    return aggregate(sets.expand(node), keys, compiler, windowed=windowed)


def _sets(
    sets: list[list[exp.Expr]],
    named: dict[str, tuple[str, Expr]],
    scope: Scope,
    builder: Builder,
) -> GroupingSets | None:
    if not sets:
        return None
    compiler = builder.expressions(scope)
    names = [frozenset(_key_names(chosen, named, compiler)) for chosen in sets]
    return GroupingSets(tuple(names), builder.language.absent)


def _key_names(
    chosen: list[exp.Expr], named: dict[str, tuple[str, Expr]], compiler: ExpressionCompiler
) -> list[str]:
    plain = [node for node in chosen if not is_group_window(node)]
    compiled = (compiler.compile(node).sql for node in plain)
    return [named[sql][0] for sql in compiled if sql in named]


def _with_group_window(window: exp.Expr, relation: Relation) -> Relation:
    node = group_window(window, relation.node, relation.scope)
    bounds = tuple(replace(f, hidden=True) for f in node.fields[len(relation.node.fields) :])
    plain = tuple(
        (alias, tuple(replace(f, window="") for f in fields))
        for alias, fields in relation.scope.inputs
    )
    return Relation(node, replace(relation.scope, inputs=(*plain, ("", bounds))))


def project(items: list[exp.Expr], compiler: ExpressionCompiler, node: Node) -> Project:
    """The columns of SELECT, under internal names that no name of the script meets."""
    columns: list[tuple[str, Expr]] = []
    fields: list[Field] = []
    for name, expr, marks in _selected(items, compiler):
        internal = f"c{len(columns)}"
        columns.append((internal, expr))
        hidden = name.startswith(_HIDDEN)
        fields.append(
            Field(name, expr.type, quote(internal), hidden=hidden)
            if marks is None
            else replace(marks, name=name, type=expr.type, sql=quote(internal), hidden=hidden)
        )
    return Project(node, tuple(columns), tuple(fields))


def _selected(
    items: list[exp.Expr], compiler: ExpressionCompiler
) -> list[tuple[str, Expr, Field | None]]:
    selected: list[tuple[str, Expr, Field | None]] = []
    for position, item in enumerate(items):
        star = _star_fields(item, compiler.scope)
        if star is not None:
            if isinstance(compiler, AggregateCompiler):
                raise PlanError("NOT_GROUPED", span=node_span(item), column="*")
            names = _star_names(star, compiler)
            selected.extend((n, Expr(f.sql, f.type), f) for n, f in zip(names, star, strict=True))
            continue
        inner = item.this if isinstance(item, exp.Alias) else item
        name = inner.name if isinstance(inner, exp.Column) else f"EXPR${position}"
        if isinstance(item, exp.Alias):
            name = item.alias
        expr = compiler.compile(inner)
        selected.append((name, expr, compiler.field_of(expr)))
    return selected


def _star_names(star: tuple[Field, ...], compiler: ExpressionCompiler) -> list[str]:
    """The names of the columns of `*`: a second one of a name goes by its table, where it can."""
    names: list[str] = []
    for field in star:
        inputs = compiler.scope.inputs if compiler.language.stars_by_table else ()
        owner = next((alias for alias, fields in inputs if any(f is field for f in fields)), "")
        names.append(f"{owner}.{field.name}" if owner and field.name in names else field.name)
    return names


def _star_fields(item: exp.Expr, scope: Scope) -> tuple[Field, ...] | None:
    if isinstance(item, exp.Star):
        return scope.star
    if isinstance(item, exp.Column) and isinstance(item.this, exp.Star):
        return scope.fields_of(item.table, node_span(item))
    return None
