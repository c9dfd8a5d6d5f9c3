"""A query → a plan: names bound, types checked, everything Spark cannot run here refused.

`build` is called for each INSERT by `plan.insert`; views and WITH queries are planned where they
are used, so that every table reference becomes a stream of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import quote
from penstock.plan.aggregate import (
    AggregateCompiler,
    aggregate,
    group_keys,
    is_aggregate,
    is_window_grouping,
)
from penstock.plan.expressions import ExpressionCompiler
from penstock.plan.nodes import Filter, Node, Project, Union, is_windowed
from penstock.plan.scan import scan
from penstock.plan.scope import Field, Scope
from penstock.plan.windows import (
    group_window,
    is_group_window,
    is_window_call,
    window,
    window_arguments,
)
from penstock.sql.arithmetic import common_type
from penstock.sql.casts import cast
from penstock.sql.ddl import table_name
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.catalog.catalog import Catalog
    from penstock.plan.language import Language

# Clauses of SELECT that no stage runs yet: argument name → what the message calls it, advice.
_REFUSED_CLAUSES = {
    "distinct": ("SELECT DISTINCT", "Deduplicate where the result is read."),
    "joins": ("A join", "Joins, UNNEST and LATERAL TABLE are not supported yet."),
    "laterals": ("LATERAL", ""),
    "order": ("ORDER BY", "Kafka keeps the order of each partition."),
    "limit": ("LIMIT", "Use `penstock consume --max` to look at a few rows."),
    "offset": ("OFFSET", ""),
    "windows": ("WINDOW", ""),
    "qualify": ("QUALIFY", ""),
    "match": ("MATCH_RECOGNIZE", ""),
}


@dataclass(frozen=True, slots=True)
class _With:
    """A query of a WITH clause, and the WITH queries it can see itself."""

    query: exp.Expr
    columns: Sequence[str]
    withs: Mapping[str, _With]


Withs = Mapping[str, _With]


def build(query: exp.Query, catalog: Catalog, language: Language) -> Node:
    """The plan of a query."""
    return _Builder(catalog, language).query(query, {})


class _Builder:
    def __init__(self, catalog: Catalog, language: Language) -> None:
        self._catalog = catalog
        self._language = language
        self._expanding: tuple[str, ...] = ()

    def query(self, query: exp.Expr, withs: Withs) -> Node:
        if isinstance(query, exp.Query):
            for cte in query.ctes:
                # A name means what it meant where the WITH stands, also when it is used deeper.
                withs = {**withs, cte.alias: _With(cte.this, cte.alias_column_names, withs)}
        if isinstance(query, exp.Subquery):
            return self.query(query.this, withs)
        if isinstance(query, exp.Union):
            return self._union(query, withs)
        if isinstance(query, exp.Select):
            return self._select(query, withs)
        raise _unsupported(query, f"`{type(query).__name__.upper()}`", "Write it as SELECT.")

    def _union(self, query: exp.Union, withs: Withs) -> Node:
        if query.args.get("distinct"):
            raise _unsupported(query, "UNION without ALL", "Write UNION ALL.")
        for clause in ("order", "limit"):
            if query.args.get(clause):
                raise _unsupported(query, *_REFUSED_CLAUSES[clause])
        left, right = self.query(query.this, withs), self.query(query.expression, withs)
        if len(left.fields) != len(right.fields):
            raise PlanError(
                "INVALID_QUERY",
                span=node_span(query.expression),
                problem=f"UNION ALL joins queries of {len(left.fields)} and {len(right.fields)} "
                "columns.",
                instead="Give both the same number of columns.",
            )
        types = []
        for a, b in zip(left.fields, right.fields, strict=True):
            type_ = common_type(a.type.as_nullable(), b.type.as_nullable())
            if type_ is None:
                raise PlanError(
                    "INVALID_QUERY",
                    span=node_span(query.expression),
                    problem=f"UNION ALL cannot join `{a.name}` ({a.type}) and `{b.name}` "
                    f"({b.type}).",
                    instead="CAST one of them.",
                )
            types.append(type_)
        names = [(f"c{i}", field.name) for i, field in enumerate(left.fields)]
        sides = []
        for side in (left, right):
            columns = tuple(
                (internal, Expr(cast(field.sql, field.type, type_), type_))
                for (internal, _), field, type_ in zip(names, side.fields, types, strict=True)
            )
            sides.append(Project(side, columns, _fields(columns)))
        fields = tuple(
            Field(name, type_, quote(internal), a.rowtime and b.rowtime)
            for (internal, name), type_, a, b in zip(
                names, types, left.fields, right.fields, strict=True
            )
        )
        return Union(tuple(sides), fields)

    def _select(self, select: exp.Select, withs: Withs) -> Node:
        for clause, (name, advice) in _REFUSED_CLAUSES.items():
            if select.args.get(clause):
                found = select.args[clause]
                raise _unsupported(found[0] if isinstance(found, list) else found, name, advice)
        source = select.args.get("from_")
        if source is None:
            raise _unsupported(select, "SELECT without FROM", "Read from a table.")
        alias, node = self._from(source.this, withs)
        where = select.args.get("where")
        if where is not None:
            condition = self._expressions(Scope(((alias, node.fields),))).condition(where.this)
            node = Filter(node, condition, where.this.sql(dialect="flink"), node.fields)
        if select.args.get("group") or self._aggregates(select):
            return self._grouped(select, alias, node)
        if select.args.get("having"):
            raise _unsupported(select.args["having"], "HAVING without GROUP BY", "Use WHERE.")
        return _project(select, self._expressions(Scope(((alias, node.fields),))), node)

    def _grouped(self, select: exp.Select, alias: str, node: Node) -> Node:
        group = select.args.get("group")
        older = [g for g in group.expressions if is_group_window(g)] if group else []
        if len(older) > 1:
            raise _unsupported(older[1], "A second window in GROUP BY", "Group by one window.")
        if older:
            node = group_window(older[0], node)
        elif group is None or not is_window_grouping(select, node):
            raise PlanError(
                "UNSUPPORTED_QUERY",
                span=node_span(group or select),
                feature="GROUP BY without an event-time window",
                instead="Group by window_start and window_end of "
                "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)).",
            )
        if is_windowed(node):
            raise _unsupported(select, "A window over a window aggregate", "Use one window.")
        scope = Scope(((alias, node.fields),))
        keys = group_keys(select, scope, self._language)
        compiler = AggregateCompiler(scope, self._language, keys=keys, windows=older)
        having = select.args.get("having")
        condition = having and compiler.condition(having.this)
        projected = _project(select, compiler, node)
        grouped: Node = aggregate(node, keys, compiler)
        if having and condition:
            text = having.this.sql(dialect="flink")
            grouped = Filter(grouped, condition, text, grouped.fields)
        return Project(grouped, projected.columns, projected.fields)

    def _expressions(self, scope: Scope) -> ExpressionCompiler:
        return ExpressionCompiler(scope, self._language)

    def _aggregates(self, select: exp.Select) -> bool:
        return any(
            is_aggregate(part, self._language)
            for item in select.expressions
            for part in item.walk()
        )

    def _from(self, source: exp.Expr, withs: Withs) -> tuple[str, Node]:
        if isinstance(source, exp.Subquery):
            node = self.query(source.this, withs)
            return source.alias, _renamed(node, source.alias_column_names, source.alias)
        if not isinstance(source, exp.Table):
            raise _unsupported(source, f"`{source.sql(dialect='flink')}` in FROM", "")
        for clause in ("joins", "laterals", "pivots", "sample", "version", "when"):
            if source.args.get(clause):
                raise _unsupported(source, f"{clause.upper()} on a table", "")
        call = source.this
        if is_window_call(call):
            arguments = window_arguments(call)
            inner = arguments["DATA"].this
            node = window(call, arguments, self._table(inner, withs))
            if source.alias_column_names:
                raise _unsupported(source, "A column list on a window", "Name the columns inside.")
            return source.alias or table_name(inner), node
        node = self._table(source, withs)
        return source.alias or source.name, _renamed(node, source.alias_column_names, source.alias)

    def _table(self, source: exp.Table, withs: Withs) -> Node:
        name, span = table_name(source), node_span(source)
        if name in withs:
            found = withs[name]
            return _renamed(self.query(found.query, found.withs), found.columns, name)
        view = self._catalog.view(name)
        if view is None:
            return scan(self._catalog.table(name, span), self._language)
        if name in self._expanding:
            raise PlanError(
                "INVALID_QUERY", span=span, problem=f"View `{name}` uses itself.", instead=""
            )
        self._expanding = (*self._expanding, name)
        node = self.query(view.query, {})
        self._expanding = self._expanding[:-1]
        return _renamed(node, view.columns, name)


def _unsupported(node: exp.Expr, feature: str, instead: str) -> PlanError:
    return PlanError("UNSUPPORTED_QUERY", span=node_span(node), feature=feature, instead=instead)


def _project(select: exp.Select, compiler: ExpressionCompiler, node: Node) -> Project:
    columns: list[tuple[str, Expr]] = []
    fields: list[Field] = []
    for name, expr, rowtime in _selected(select, compiler):
        internal = f"c{len(columns)}"
        columns.append((internal, expr))
        fields.append(Field(name, expr.type, quote(internal), rowtime))
    return Project(node, tuple(columns), tuple(fields))


def _selected(select: exp.Select, compiler: ExpressionCompiler) -> list[tuple[str, Expr, bool]]:
    selected: list[tuple[str, Expr, bool]] = []
    for position, item in enumerate(select.expressions):
        star = _star_fields(item, compiler.scope)
        if star is not None:
            if isinstance(compiler, AggregateCompiler):
                raise PlanError("NOT_GROUPED", span=node_span(item), column="*")
            selected.extend((f.name, Expr(f.sql, f.type), f.rowtime) for f in star)
            continue
        inner = item.this if isinstance(item, exp.Alias) else item
        name = item.alias or (inner.name if isinstance(inner, exp.Column) else f"EXPR${position}")
        expr = compiler.compile(inner)
        rowtime = any(f.rowtime and f.sql == expr.sql for f in compiler.scope.fields)
        selected.append((name, expr, rowtime))
    return selected


def _star_fields(item: exp.Expr, scope: Scope) -> tuple[Field, ...] | None:
    if isinstance(item, exp.Star):
        return scope.fields
    if isinstance(item, exp.Column) and isinstance(item.this, exp.Star):
        return scope.fields_of(item.table, node_span(item))
    return None


def _fields(columns: tuple[tuple[str, Expr], ...]) -> tuple[Field, ...]:
    return tuple(Field(name, expr.type, quote(name)) for name, expr in columns)


def _renamed(node: Node, names: Sequence[str], relation: str) -> Node:
    """The same rows under the names of a column list; none given, none changed."""
    if not names:
        return node
    if len(names) != len(node.fields):
        raise PlanError(
            "INVALID_QUERY",
            problem=f"`{relation}` names {len(names)} columns, its query gives {len(node.fields)}.",
            instead="",
        )
    columns = tuple((f"c{i}", Expr(f.sql, f.type)) for i, f in enumerate(node.fields))
    fields = tuple(
        Field(name, f.type, quote(f"c{i}"), f.rowtime)
        for i, (name, f) in enumerate(zip(names, node.fields, strict=True))
    )
    return Project(node, columns, fields)
