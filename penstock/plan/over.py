"""Functions with OVER → `Over`: what they say of the rows around a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import BIGINT, DOUBLE, quote
from penstock.plan.aggregate import call_arguments
from penstock.plan.frames import Frame, OverCall, written_frame
from penstock.plan.infer import is_bounded
from penstock.plan.nodes import Node, Order, Over
from penstock.plan.rank import RANKING
from penstock.plan.relations import unsupported
from penstock.plan.scope import Field
from penstock.plan.walk import arrival_order
from penstock.sql.functions.base import Signature as S
from penstock.sql.functions.distinct_over import of_set
from penstock.sql.literals import integer_of
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.plan.expressions import ExpressionCompiler

_COUNT = BIGINT.as_nullable(nullable=False)
# Functions that exist with OVER only; aggregates can have it too.
RANKINGS: dict[str, tuple[S, ...]] = {
    "ROW_NUMBER": (S((), "row_number()", _COUNT),),
    "RANK": (S((), "rank()", _COUNT),),
    "DENSE_RANK": (S((), "dense_rank()", _COUNT),),
    "NTILE": (S(("int",), "ntile({0})", BIGINT),),
    "PERCENT_RANK": (S((), "percent_rank()", DOUBLE),),
    "CUME_DIST": (S((), "cume_dist()", DOUBLE),),
    "LAG": (
        S(("any",), "lag({0})", 0),
        S(("any", "literal int"), "lag({0}, {1})", 0),
        S(("any", "literal int", "any"), "lag({0}, {1}, CAST({2} AS {type}))", 0),
    ),
    "LEAD": (
        S(("any",), "lead({0})", 0),
        S(("any", "literal int"), "lead({0}, {1})", 0),
        S(("any", "literal int", "any"), "lead({0}, {1}, CAST({2} AS {type}))", 0),
    ),
}


@dataclass(frozen=True, slots=True)
class _Clause:
    """What stands in the brackets of OVER, with what the WINDOW it names adds."""

    partition: list[exp.Expr]
    order: list[exp.Expr]
    frame: exp.Expr | None

    @property
    def rows(self) -> tuple[str, str]:
        """Which rows it means, in which order; functions that agree in it are computed at once."""
        return ", ".join(p.sql() for p in self.partition), ", ".join(o.sql() for o in self.order)


def add_over(query: exp.Select, compiler: ExpressionCompiler, node: Node) -> Node:
    """The rows with a column for each function with OVER; the compiler then knows them."""
    found = [w for item in query.expressions for w in item.find_all(exp.Window)]
    order = query.args.get("order")
    found += list(order.find_all(exp.Window)) if order else []
    found = [w for w in found if w.args.get("over") and w.find_ancestor(exp.Query) is query]
    named = {w.name: w for w in query.args.get("windows") or []}
    groups: dict[tuple[str, str], list[tuple[exp.Window, _Clause]]] = {}
    for window in found:
        clause = _clause_of(window, named)
        groups.setdefault(clause.rows, []).append((window, clause))
    for windows in groups.values():
        node = _over(windows, compiler, node)
    return node


def _clause_of(window: exp.Window, named: dict[str, exp.Window]) -> _Clause:
    order = window.args.get("order")
    own = _Clause(
        window.args.get("partition_by") or [],
        list(order.expressions) if order else [],
        window.args.get("spec"),
    )
    if not window.alias:
        return own
    if window.alias not in named or named[window.alias] is window:
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(window),
            problem=f"There is no WINDOW `{window.alias}`.",
            instead=f"Windows of this query: {', '.join(named) or 'none'}.",
        )
    base = _clause_of(named[window.alias], named)
    return _Clause(
        own.partition or base.partition, own.order or base.order, own.frame or base.frame
    )


def _over(
    windows: list[tuple[exp.Window, _Clause]], compiler: ExpressionCompiler, node: Node
) -> Over:
    first = windows[0][1]
    partition = tuple(compiler.compile(part) for part in first.partition)
    arrival = arrival_order(node)
    order = tuple(_term(part, compiler, arrival) for part in first.order)
    functions: list[tuple[str, Expr]] = []
    calls: list[OverCall] = []
    fields = list(node.fields)
    taken = len([f for f in node.fields if f.sql.startswith("`__over")])
    for window, clause in windows:
        over = f" OVER ({_clause(partition, order, clause.frame)})"
        function = _Function(window, clause, compiler, batch=is_bounded(node))
        built = function.built(over)
        name = f"__over{taken + len(functions)}"
        called = built if built.sql.startswith(RANKING) else _cast(built)
        functions.append((name, called))
        calls.append(function.call())
        compiler.given[id(window)] = Expr(quote(name), called.type)
        fields.append(Field("", called.type, quote(name), hidden=True))
    span = node_span(windows[0][0])
    return Over(node, tuple(functions), partition, order, tuple(fields), tuple(calls), span)


def _cast(built: Expr) -> Expr:
    return Expr(f"CAST({built.sql} AS {built.type.spark_sql()})", built.type)


def _term(part: exp.Expr, compiler: ExpressionCompiler, arrival: str) -> Order:
    """One term; by processing time means by arrival, since a batch has one time for all rows."""
    expr = compiler.compile(part.this)
    field = compiler.field_of(expr)
    if compiler.language.order_key:
        expr = compiler.language.order_key(expr)
    if arrival and field and field.proctime:
        expr = Expr(arrival, expr.type)
    return Order(expr, bool(part.args.get("desc")), bool(part.args.get("nulls_first")))


class _Function:
    """One function with OVER: its arguments understood, and its frame."""

    def __init__(
        self, window: exp.Window, clause: _Clause, compiler: ExpressionCompiler, *, batch: bool
    ) -> None:
        call, self._condition = window.this, ""
        if isinstance(call, exp.Filter):
            self._condition = compiler.condition(call.expression.this).sql
            call = call.this
        if isinstance(call, exp.IgnoreNulls | exp.RespectNulls):
            raise unsupported(call, "IGNORE NULLS and RESPECT NULLS", "")
        self._window, self._name = window, call.name.upper()
        own = compiler.language.over
        # The rules of the standard hold for its own functions only.
        self._rankings = RANKINGS if own is None else {}
        known = compiler.language.aggregate.get(self._name)
        signatures = (RANKINGS if own is None else own).get(self._name) or known
        if not isinstance(call, exp.Anonymous) or signatures is None:
            instead = "OVER takes aggregates and rankings."
            raise unsupported(window, f"{self._name} with OVER", instead)
        self._signatures = signatures
        self._frame = self._understood(clause)
        arguments, self._distinct = call_arguments(call)
        self._as_set = self._distinct and batch
        self._arguments = [compiler.compile(argument) for argument in arguments]

    def _understood(self, clause: _Clause) -> Frame:
        """The frame, by the rules for what is not written."""
        if self._name not in self._rankings:
            if clause.frame is not None:
                return written_frame(clause.frame)
            return Frame(rows=False) if clause.order else Frame(False, end="UNBOUNDED FOLLOWING")
        if not clause.order:
            raise self._invalid(f"{self._name} needs ORDER BY in its OVER clause.")
        if clause.frame is not None:
            raise self._invalid(f"ROW/RANGE not allowed with {self._name}.")
        return Frame(rows=self._name == "ROW_NUMBER")

    def _invalid(self, problem: str) -> PlanError:
        span = node_span(self._window)
        return PlanError("INVALID_QUERY", span=span, problem=problem, instead="")

    def built(self, over: str) -> Expr:
        """The function in Spark SQL, with its OVER clause or without one."""
        if over and self._as_set:
            return self._of_set(over)
        for signature in self._signatures:
            if signature.matches(self._arguments):
                try:
                    built = signature.aggregate(
                        self._arguments,
                        distinct=self._distinct,
                        condition=self._condition,
                        over=over,
                    )
                except PlanError as error:
                    error.span = error.span or node_span(self._window)
                    raise
                if built is not None:
                    return built
        raise PlanError(
            "WRONG_ARGUMENTS",
            span=node_span(self._window),
            function=self._name,
            found=", ".join(str(argument.type) for argument in self._arguments),
            expected=" or ".join(s.describe() for s in self._signatures),
        )

    def _of_set(self, over: str) -> Expr:
        built, (value, *more) = self.built(""), self._arguments
        if self._condition:
            value = Expr(f"CASE WHEN {self._condition} THEN {value.sql} END", value.type)
        sql = None if more else of_set(self._name, value, over)
        if sql is None:
            feature = f"{self._name} of DISTINCT values with OVER over bounded tables"
            instead = "COUNT, SUM, AVG, MIN and MAX of one column can be of distinct values."
            raise unsupported(self._window, feature, instead)
        return Expr(sql, built.type)

    def call(self) -> OverCall:
        """What the changelog engine is told of it."""
        built = self.built("")
        if self._name not in self._rankings:
            return OverCall(self._name, self._frame, _cast(built).sql)
        if self._name != "LAG":
            return OverCall(self._name, self._frame)
        type_ = built.type.spark_sql()
        value, *rest = (argument.sql for argument in self._arguments)
        offset, otherwise = [*rest, *("1", "NULL")[len(rest) :]]
        sql, otherwise = (f"CAST({sql} AS {type_})" for sql in (value, otherwise))
        return OverCall("LAG", self._frame, sql, integer_of(offset) or 0, otherwise)


def _clause(partition: tuple[Expr, ...], order: tuple[Order, ...], frame: exp.Expr | None) -> str:
    parts = []
    if partition:
        parts.append(f"PARTITION BY {', '.join(p.sql for p in partition)}")
    if order:
        parts.append(f"ORDER BY {', '.join(o.sql for o in order)}")
    if frame is not None:
        parts.append(written_frame(frame).sql)
    return " ".join(parts)
