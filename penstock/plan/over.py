"""Functions with OVER → `Over`: what they say of the rows around a row."""

from __future__ import annotations

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


def add_over(query: exp.Select, compiler: ExpressionCompiler, node: Node) -> Node:
    """The rows with a column for each function with OVER; the compiler then knows them."""
    found = [w for item in query.expressions for w in item.find_all(exp.Window)]
    order = query.args.get("order")
    found += list(order.find_all(exp.Window)) if order else []
    found = [w for w in found if w.args.get("over") and w.find_ancestor(exp.Query) is query]
    named = {w.name: w for w in query.args.get("windows") or []}
    groups: dict[tuple[str, str], list[exp.Window]] = {}
    for window in found:
        spec = _spec(window, named)
        key = (_sql(spec.args.get("partition_by")), _sql(spec.args.get("order")))
        groups.setdefault(key, []).append(window)
    for windows in groups.values():
        node = _over(windows, named, compiler, node)
    return node


def _sql(part: object) -> str:
    parts = part if isinstance(part, list) else [part]
    return ", ".join(p.sql() for p in parts if isinstance(p, exp.Expr))


def _spec(window: exp.Window, named: dict[str, exp.Window]) -> exp.Window:
    """What stands in the brackets, or the WINDOW clause of the name."""
    if not window.alias:
        return window
    if window.alias not in named:
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(window),
            problem=f"There is no WINDOW `{window.alias}`.",
            instead=f"Windows of this query: {', '.join(named) or 'none'}.",
        )
    return named[window.alias]


def _over(
    windows: list[exp.Window],
    named: dict[str, exp.Window],
    compiler: ExpressionCompiler,
    node: Node,
) -> Over:
    first = _spec(windows[0], named)
    partition = tuple(compiler.compile(part) for part in first.args.get("partition_by") or [])
    order = tuple(_term(part, compiler) for part in _terms(first))
    functions: list[tuple[str, Expr]] = []
    fields = list(node.fields)
    taken = len([f for f in node.fields if f.sql.startswith("`__over")])
    for window in windows:
        spec = _spec(window, named)
        over = f" OVER ({_clause(partition, order, spec.args.get('spec'))})"
        built = _function(window, compiler, over)
        name = f"__over{taken + len(functions)}"
        sql = f"CAST({built.sql} AS {built.type.spark_sql()})"
        called = built if built.sql.startswith(RANKING) else Expr(sql, built.type)
        functions.append((name, called))
        compiler.given[id(window)] = Expr(quote(name), called.type)
        fields.append(Field("", called.type, quote(name), hidden=True))
    return Over(node, tuple(functions), partition, order, tuple(fields))


def _terms(spec: exp.Window) -> list[exp.Expr]:
    order = spec.args.get("order")
    return list(order.expressions) if order else []


def _term(part: exp.Expr, compiler: ExpressionCompiler) -> Order:
    nulls_first = bool(part.args.get("nulls_first"))
    return Order(compiler.compile(part.this), bool(part.args.get("desc")), nulls_first)


def _function(window: exp.Window, compiler: ExpressionCompiler, over: str) -> Expr:
    call, condition = window.this, ""
    if isinstance(call, exp.Filter):
        condition = compiler.condition(call.expression.this).sql
        call = call.this
    if isinstance(call, exp.IgnoreNulls | exp.RespectNulls):
        raise unsupported(call, "IGNORE NULLS and RESPECT NULLS", "")
    name = call.name.upper()
    signatures = RANKINGS.get(name) or compiler.language.aggregate.get(name)
    if not isinstance(call, exp.Anonymous) or signatures is None:
        raise unsupported(window, f"{name} with OVER", "OVER takes aggregates and rankings.")
    if name in RANKINGS and "ORDER BY" not in over:
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(window),
            problem=f"{name} needs ORDER BY in its OVER clause.",
            instead="",
        )
    arguments, distinct = call_arguments(call)
    compiled = [compiler.compile(argument) for argument in arguments]
    for signature in signatures:
        if signature.matches(compiled):
            built = signature.aggregate(compiled, distinct=distinct, condition=condition, over=over)
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
        start = _edge(frame.args["start"], frame.args.get("start_side"))
        end = _edge(frame.args.get("end") or "CURRENT ROW", frame.args.get("end_side"))
        parts.append(f"{frame.args['kind']} BETWEEN {start} AND {end}")
    return " ".join(parts)


def _edge(edge: object, side: str | None) -> str:
    if isinstance(edge, exp.Interval):
        return f"INTERVAL '{interval_ms(edge)}' MILLISECONDS {side}"
    if isinstance(edge, exp.Expr):
        return f"{edge.sql()} {side or ''}".strip()
    return f"{edge} {side or ''}".strip()
