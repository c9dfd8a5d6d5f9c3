"""GROUP BY → `WindowAggregate` or `Aggregate`, and the expressions that stand above it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import quote
from penstock.plan.expressions import ExpressionCompiler
from penstock.plan.forms import LOCAL_WORDS
from penstock.plan.grouping import GroupingSets
from penstock.plan.nodes import Aggregate, Node, WindowAggregate
from penstock.plan.scope import Field, Scope
from penstock.plan.windows import ROWTIME_COLUMN, auxiliary, is_group_window, window_bound
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.plan.language import Language
    from penstock.sql.functions.base import Signature

Keys = dict[str, tuple[str, Expr]]


class AggregateCompiler(ExpressionCompiler):
    """Compiles what stands above a GROUP BY: keys, window bounds and aggregates, nothing else."""

    def __init__(
        self,
        scope: Scope,
        language: Language,
        *,
        keys: Keys,
        windows: list[exp.Expr],
        windowed: bool = False,
        sets: GroupingSets | None = None,
        order: str = "",
    ) -> None:
        super().__init__(scope, language)
        self._windows = windows
        self._below = ExpressionCompiler(scope, language)
        self._keys = keys
        self._windowed = windowed
        if sets is None and language.absent is None:
            # A plain GROUP BY is one set, of all keys.
            sets = GroupingSets((frozenset(name for name, _ in keys.values()),))
        self._sets = sets
        self._order = order
        self.aggregates: Keys = {}

    def compile(self, node: exp.Expr) -> Expr:
        """An expression over the groups."""
        if id(node) in self.given:
            return self.given[id(node)]
        if is_aggregate(node, self.language):
            return self._aggregate(node)
        if self._sets and (number := self._sets.function(node, self._key_name)):
            return number
        name = auxiliary(node, self._windows)
        if name:
            return window_bound(self.scope.find(name, span=node_span(node)))
        if not any(is_aggregate(part, self.language) for part in node.walk()):
            below = self._below_sql(node)
            if below in self._keys:
                key, expr = self._keys[below]
                return Expr(quote(key), expr.type)
        if isinstance(node, exp.Column):
            return self._group_column(node)
        return super().compile(node)

    def field_of(self, expr: Expr) -> Field | None:
        """The window column or key that an expression is, with its marks."""
        for field in self.scope.fields if self._windowed else ():
            if field.window and window_bound(field).sql == expr.sql:
                rowtime = ROWTIME_COLUMN if field.window == "time" and not field.proctime else ""
                return replace(field, rowtime=rowtime)
        return None

    def _key_name(self, node: exp.Expr) -> str:
        """The name of a key, "" for a bound of the window, which is none."""
        if self._windowed and window_column(node, self.scope):
            return ""
        sql = self._below.compile(node).sql
        if sql not in self._keys:
            raise PlanError("NOT_GROUPED", span=node_span(node), column=node.sql())
        return self._keys[sql][0]

    def _below_sql(self, node: exp.Expr) -> str:
        try:
            return self._below.compile(node).sql
        except PlanError:
            return ""

    def _group_column(self, node: exp.Column) -> Expr:
        below = self._below.compile(node)
        if below in LOCAL_WORDS.values():
            return below
        alias = node.table if self.scope.has_alias(node.table) else ""
        field = self.scope.find(node.name, alias=alias, span=node_span(node))
        if field.window and self._windowed:
            return window_bound(field)
        raise PlanError("NOT_GROUPED", span=node_span(node), column=node.name)

    def _aggregate(self, node: exp.Expr) -> Expr:
        call = node.this if isinstance(node, exp.Filter) else node
        arguments, distinct = call_arguments(call)
        compiled = [self._below.compile(argument) for argument in arguments]
        condition = ""
        if isinstance(node, exp.Filter):
            condition = self._below.condition(node.expression.this).sql
        signatures = self.language.aggregate[call.name.upper()]
        built = self._built(signatures, compiled, node, distinct=distinct, condition=condition)
        if built is None:
            raise PlanError(
                "WRONG_ARGUMENTS",
                span=node_span(node),
                function=call.name,
                found=", ".join(self.language.type_text(argument.type) for argument in compiled),
                expected=" or ".join(s.describe() for s in signatures),
            )
        return self._register(built)

    def _built(
        self,
        signatures: tuple[Signature, ...],
        arguments: list[Expr],
        node: exp.Expr,
        *,
        distinct: bool,
        condition: str,
    ) -> Expr | None:
        for signature in signatures:
            if signature.matches(arguments):
                try:
                    return signature.aggregate(
                        arguments, distinct=distinct, condition=condition, order=self._order
                    )
                except PlanError as error:
                    error.span = error.span or node_span(node)
                    raise
        return None

    def _register(self, built: Expr) -> Expr:
        name, _ = self.aggregates.setdefault(built.sql, (f"__agg{len(self.aggregates)}", built))
        return Expr(f"CAST({name} AS {built.type.spark_sql()})", built.type)


def call_arguments(call: exp.Expr) -> tuple[list[exp.Expr], bool]:
    """The arguments of an aggregate call, and whether it is of distinct values."""
    arguments = list(call.expressions)
    if len(arguments) == 1 and isinstance(arguments[0], exp.Star):
        return [], False
    if arguments and isinstance(arguments[0], exp.Distinct):
        return [*arguments[0].expressions, *arguments[1:]], True
    return arguments, False


def is_aggregate(node: exp.Expr, language: Language) -> bool:
    """Whether a call is of an aggregate function over groups."""
    if isinstance(node, exp.Filter):
        return is_aggregate(node.this, language)
    return (
        isinstance(node, exp.Anonymous)
        and node.name.upper() in language.aggregate
        and not _is_over(node)
    )


def _is_over(node: exp.Expr) -> bool:
    """Whether the call is the function of an OVER, and not one of the groups."""
    parent = node.parent
    if isinstance(parent, exp.Filter):
        parent = parent.parent
    return isinstance(parent, exp.Window)


def group_keys(
    expressions: list[exp.Expr], scope: Scope, language: Language, *, windowed: bool
) -> Keys:
    """The keys of a GROUP BY by their Spark SQL; those that make its window are none."""
    compiler = ExpressionCompiler(scope, language)
    keys: Keys = {}
    for node in expressions:
        if is_group_window(node) or (windowed and window_column(node, scope)):
            continue
        expr = compiler.compile(node)
        keys.setdefault(expr.sql, (f"__key{len(keys)}", expr))
    return keys


def window_column(node: exp.Expr, scope: Scope) -> Field | None:
    """The window bound that a column of GROUP BY is."""
    if not isinstance(node, exp.Column):
        return None
    found = scope.only(node.name, node.table)
    return found if found and found.window else None


def is_window_grouping(expressions: list[exp.Expr], scope: Scope) -> bool:
    """Whether GROUP BY names both bounds of the window its input has."""
    bounds = {field.window for node in expressions if (field := window_column(node, scope))}
    return {"start", "end"} <= bounds


def aggregate(
    source: Node, keys: Keys, compiler: AggregateCompiler, *, windowed: bool
) -> WindowAggregate | Aggregate:
    """The grouped node; its fields are read through the compiler's expressions only."""
    kind = WindowAggregate if windowed else Aggregate
    fields = tuple(Field(name, expr.type, quote(name)) for name, expr in keys.values())
    return kind(source, tuple(keys.values()), tuple(compiler.aggregates.values()), fields)
