"""GROUP BY over a window → `WindowAggregate`, and the expressions that stand above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import quote
from penstock.plan.expressions import ExpressionCompiler
from penstock.plan.nodes import Filter, Node, Window, WindowAggregate
from penstock.plan.scope import Field, Scope
from penstock.plan.windows import auxiliary, is_group_window
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.plan.language import Language

_WINDOW_FIELDS = ("window_start", "window_end", "window_time")


class AggregateCompiler(ExpressionCompiler):
    """Compiles what stands above a GROUP BY: keys, window bounds and aggregates, nothing else."""

    def __init__(
        self,
        scope: Scope,
        language: Language,
        *,
        keys: dict[str, tuple[str, Expr]],
        windows: list[exp.Expr],
    ) -> None:
        super().__init__(scope, language)
        self._windows = windows
        self._below = ExpressionCompiler(scope, language)
        self._keys = keys
        self.aggregates: dict[str, tuple[str, Expr]] = {}

    def compile(self, node: exp.Expr) -> Expr:
        """An expression over the groups."""
        if is_aggregate(node, self.language):
            return self._aggregate(node)
        name = auxiliary(node, self._windows)
        if name:
            field = self.scope.find(name, span=node_span(node))
            return Expr(field.sql, field.type)
        if not any(is_aggregate(part, self.language) for part in node.walk()):
            below = self._below_sql(node)
            if below in self._keys:
                key, expr = self._keys[below]
                return Expr(quote(key), expr.type)
        if isinstance(node, exp.Column):
            return self._group_column(node)
        return super().compile(node)

    def _below_sql(self, node: exp.Expr) -> str:
        try:
            return self._below.compile(node).sql
        except PlanError:
            return ""

    def _group_column(self, node: exp.Column) -> Expr:
        if node.name in _WINDOW_FIELDS:
            field = self.scope.find(node.name, span=node_span(node))
            return Expr(field.sql, field.type)
        self._below.compile(node)
        raise PlanError("NOT_GROUPED", span=node_span(node), column=node.name)

    def _aggregate(self, node: exp.Expr) -> Expr:
        call = node.this if isinstance(node, exp.Filter) else node
        arguments = (
            []
            if call.expressions and isinstance(call.expressions[0], exp.Star)
            else list(call.expressions)
        )
        if any(isinstance(argument, exp.Distinct) for argument in arguments):
            raise PlanError(
                "UNSUPPORTED_QUERY",
                span=node_span(node),
                feature=f"{call.name.upper()}(DISTINCT …)",
                instead="Aggregate without DISTINCT.",
            )
        compiled = [self._below.compile(argument) for argument in arguments]
        built = None
        signatures = self.language.aggregate[call.name.upper()]
        for signature in signatures:
            if signature.matches(compiled):
                built = signature.call(compiled)
                break
        if built is None:
            raise PlanError(
                "WRONG_ARGUMENTS",
                span=node_span(node),
                function=call.name.upper(),
                found=", ".join(str(argument.type) for argument in compiled),
                expected=" or ".join(
                    s.describe() for s in self.language.aggregate[call.name.upper()]
                ),
            )
        if isinstance(node, exp.Filter):
            built = self._filtered(built, call, compiled, node)
        return self._register(built)

    def _filtered(
        self, built: Expr, call: exp.Expr, arguments: list[Expr], node: exp.Filter
    ) -> Expr:
        condition = self._below.condition(node.expression.this).sql
        if not arguments:
            return Expr(f"count(CASE WHEN {condition} THEN 1 END)", built.type)
        chosen = [Expr(f"CASE WHEN {condition} THEN {a.sql} END", a.type) for a in arguments]
        signatures = self.language.aggregate[call.name.upper()]
        return next(s.call(chosen) for s in signatures if s.matches(chosen)) or built

    def _register(self, built: Expr) -> Expr:
        name, _ = self.aggregates.setdefault(built.sql, (f"__agg{len(self.aggregates)}", built))
        return Expr(f"CAST({name} AS {built.type.spark_sql()})", built.type)


def is_aggregate(node: exp.Expr, language: Language) -> bool:
    """Whether a call is of an aggregate function."""
    if isinstance(node, exp.Filter):
        return is_aggregate(node.this, language)
    return isinstance(node, exp.Anonymous) and node.name.upper() in language.aggregate


def group_keys(select: exp.Select, scope: Scope, language: Language) -> dict[str, tuple[str, Expr]]:
    """The keys of a GROUP BY beside its window, by their Spark SQL."""
    compiler = ExpressionCompiler(scope, language)
    keys: dict[str, tuple[str, Expr]] = {}
    group = select.args["group"]
    for part in ("grouping_sets", "rollup", "cube", "totals", "all"):
        if group.args.get(part):
            raise PlanError(
                "UNSUPPORTED_QUERY",
                span=node_span(group),
                feature="GROUP BY with grouping sets",
                instead="Write one INSERT INTO per grouping.",
            )
    for node in group.expressions:
        if is_group_window(node) or _is_window_field(node, scope):
            continue
        expr = compiler.compile(node)
        keys.setdefault(expr.sql, (f"__key{len(keys)}", expr))
    return keys


def is_window_grouping(select: exp.Select, source: Node) -> bool:
    """Whether GROUP BY names both bounds of the window its input has."""
    names = {node.name for node in select.args["group"].expressions if isinstance(node, exp.Column)}
    return _has_window(source) and {"window_start", "window_end"} <= names


def aggregate(
    source: Node, keys: dict[str, tuple[str, Expr]], compiler: AggregateCompiler
) -> WindowAggregate:
    """The grouped node; its fields are read through the compiler's expressions only."""
    window_fields = tuple(f for f in source.fields if f.name in _WINDOW_FIELDS)
    key_fields = tuple(Field(name, expr.type, quote(name)) for name, expr in keys.values())
    return WindowAggregate(
        source,
        tuple(keys.values()),
        tuple(compiler.aggregates.values()),
        (*window_fields, *key_fields),
    )


def _has_window(node: Node) -> bool:
    if isinstance(node, Filter):
        return _has_window(node.input)
    return isinstance(node, Window)


def _is_window_field(node: exp.Expr, scope: Scope) -> bool:
    return isinstance(node, exp.Column) and node.name in _WINDOW_FIELDS
