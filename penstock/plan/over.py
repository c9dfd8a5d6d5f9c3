"""Functions with OVER → `Over`: what they say of the rows around a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import BIGINT, DOUBLE, quote
from penstock.plan.aggregate import call_arguments
from penstock.plan.nodes import Node, Order, Over
from penstock.plan.rank import RANKING
from penstock.plan.relations import unsupported
from penstock.plan.scope import Field
from penstock.plan.walk import arrival_order
from penstock.sql.functions.base import Signature as S
from penstock.sql.intervals import interval_ms
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
    fields = list(node.fields)
    taken = len([f for f in node.fields if f.sql.startswith("`__over")])
    for window, clause in windows:
        over = f" OVER ({_clause(partition, order, clause.frame)})"
        built = _function(window, compiler, over)
        name = f"__over{taken + len(functions)}"
        sql = f"CAST({built.sql} AS {built.type.spark_sql()})"
        called = built if built.sql.startswith(RANKING) else Expr(sql, built.type)
        functions.append((name, called))
        compiler.given[id(window)] = Expr(quote(name), called.type)
        fields.append(Field("", called.type, quote(name), hidden=True))
    return Over(node, tuple(functions), partition, order, tuple(fields))


def _term(part: exp.Expr, compiler: ExpressionCompiler, arrival: str) -> Order:
    """One term; by processing time means by arrival, since a batch has one time for all rows."""
    expr = compiler.compile(part.this)
    field = compiler.field_of(expr)
    if compiler.language.order_key:
        expr = compiler.language.order_key(expr)
    if arrival and field and field.proctime:
        expr = Expr(arrival, expr.type)
    return Order(expr, bool(part.args.get("desc")), bool(part.args.get("nulls_first")))


def _function(window: exp.Window, compiler: ExpressionCompiler, over: str) -> Expr:
    call, condition = window.this, ""
    if isinstance(call, exp.Filter):
        condition = compiler.condition(call.expression.this).sql
        call = call.this
    if isinstance(call, exp.IgnoreNulls | exp.RespectNulls):
        raise unsupported(call, "IGNORE NULLS and RESPECT NULLS", "")
    name = call.name.upper()
    rankings = RANKINGS if compiler.language.over is None else compiler.language.over
    signatures = rankings.get(name) or compiler.language.aggregate.get(name)
    if not isinstance(call, exp.Anonymous) or signatures is None:
        raise unsupported(window, f"{name} with OVER", "OVER takes aggregates and rankings.")
    if name in RANKINGS and rankings is RANKINGS and "ORDER BY" not in over:
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(window),
            problem=f"{name} needs ORDER BY in its OVER clause.",
            instead="",
        )
    arguments, distinct = call_arguments(call)
    if distinct:
        raise unsupported(window, "DISTINCT with OVER", "Spark has no such window function.")
    compiled = [compiler.compile(argument) for argument in arguments]
    for signature in signatures:
        if signature.matches(compiled):
            built = signature.aggregate(compiled, condition=condition, over=over)
            if built is not None:
                return built
    raise PlanError(
        "WRONG_ARGUMENTS",
        span=node_span(window),
        function=name,
        found=", ".join(str(argument.type) for argument in compiled),
        expected=" or ".join(s.describe() for s in signatures),
    )


def _clause(partition: tuple[Expr, ...], order: tuple[Order, ...], frame: exp.Expr | None) -> str:
    parts = []
    if partition:
        parts.append(f"PARTITION BY {', '.join(p.sql for p in partition)}")
    if order:
        parts.append(f"ORDER BY {', '.join(o.sql for o in order)}")
    if frame is not None:
        if frame.args["kind"] not in ("ROWS", "RANGE"):
            raise unsupported(frame, f"A frame of {frame.args['kind']}", "Use ROWS or RANGE.")
        start = _edge(frame.args["start"], frame.args.get("start_side"))
        end = _edge(frame.args.get("end") or "CURRENT ROW", frame.args.get("end_side"))
        parts.append(f"{frame.args['kind']} BETWEEN {start} AND {end}")
    return " ".join(parts)


def _edge(edge: object, side: str | None) -> str:
    if isinstance(edge, exp.Interval):
        return f"INTERVAL '{interval_ms(edge)}' MILLISECONDS {side}"
    if isinstance(edge, exp.Expr) and not isinstance(edge, exp.Literal):
        raise unsupported(edge, "A frame whose size is not a constant", "Write a number.")
    if isinstance(edge, exp.Expr):
        return f"{edge.sql()} {side or ''}".strip()
    return f"{edge} {side or ''}".strip()
