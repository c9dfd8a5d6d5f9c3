"""JOIN → `Join`: what bounds it in time decides how long its state is kept and how it can run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import BOOLEAN, quote
from penstock.plan.equalities import Sides
from penstock.plan.infer import changing_scans, is_bounded
from penstock.plan.join_time import JoinTime, join_time
from penstock.plan.lateral import lateral
from penstock.plan.nearest import nearest, nearest_of
from penstock.plan.nodes import Join, JoinForm, JoinKind, Nearest
from penstock.plan.relations import Relation, unnested, unsupported
from penstock.plan.scope import Field, Scope
from penstock.plan.temporal import is_current, version_time, versioned
from penstock.plan.terms import conjuncts
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.model.types import DataType
    from penstock.plan.build import Builder, Withs
    from penstock.plan.expressions import ExpressionCompiler

# The method of a join that only some dialects have: they rewrite their own words as it.
ASOF = "ASOF"
_NULLED = {"LEFT": "r", "RIGHT": "l", "FULL": "lr"}


def joined(
    builder: Builder,
    start: exp.Expr,
    joins: list[exp.Join],
    withs: Withs,
    *,
    pool: list[exp.Expr],
) -> tuple[Relation, list[exp.Expr]]:
    """FROM with its joins; terms of WHERE that join two inputs are taken out of the pool."""
    relation = builder.relation(start, withs)
    joins = [*(start.args.get("joins") or []), *joins] if isinstance(start, exp.Table) else joins
    for position, node in enumerate(joins):
        takes = not any(_side(later) in ("RIGHT", "FULL") for later in joins[position + 1 :])
        relation, used = _joined(builder, relation, node, withs, pool if takes else [])
        pool = [term for term in pool if term not in used]
    return relation, pool


def _side(node: exp.Join) -> str:
    return str(node.args.get("side") or "").upper()


def _joined(
    builder: Builder, left: Relation, node: exp.Join, withs: Withs, pool: list[exp.Expr]
) -> tuple[Relation, list[exp.Expr]]:
    source, kind = node.this, _kind(node)
    on = node.args.get("on")
    if isinstance(source, exp.Unnest | exp.Lateral):
        return _beside(builder, left, node, kind, withs), []
    version = source.args.get("version") if isinstance(source, exp.Table) else None
    right = builder.relation(source, withs, versioned=True)
    using = _using(node, left, right, builder)
    if str(node.args.get("method") or "").upper() == ASOF:
        if builder.language.shared_type is None:
            raise unsupported(node, "ASOF JOIN", "")
        terms = [term for part in ([on] if on is not None else []) for term in conjuncts(part)]
        return join(builder, left, right, kind=kind, terms=terms, using=using, asof=node), []
    if kind in ("INNER", "CROSS") and version is None:
        terms = _shared_terms(pool, left, right)
        kind = "INNER" if on is not None or using or terms else "CROSS"
    else:
        terms = []
    parts = [*([on] if on is not None else []), *terms]
    if kind in ("LEFT", "RIGHT", "FULL") and not parts and not using:
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(node),
            problem=f"{kind} JOIN needs a condition.",
            instead="Write ON … or USING (…).",
        )
    made = join(builder, left, right, kind=kind, terms=parts, using=using, version=version)
    return made, terms


def _kind(node: exp.Join) -> JoinKind:
    side, kind = _side(node), str(node.args.get("kind") or "").upper()
    method = str(node.args.get("method") or "").upper()
    if method not in ("", "NATURAL", ASOF):
        raise unsupported(node, f"{method} JOIN", "")
    if kind in ("SEMI", "ANTI"):
        raise unsupported(node, f"{kind} JOIN", "Write WHERE [NOT] EXISTS (…) or [NOT] IN (…).")
    if side in ("LEFT", "RIGHT", "FULL"):
        return side  # type: ignore[return-value]
    if kind == "CROSS":
        return "CROSS"
    if kind not in ("", "INNER", "OUTER"):
        raise unsupported(node, f"{kind} JOIN", "")
    return "INNER"


def _beside(
    builder: Builder, left: Relation, node: exp.Join, kind: JoinKind, withs: Withs
) -> Relation:
    on = node.args.get("on")
    always = on is None or (isinstance(on, exp.Boolean) and on.this)
    if node.args.get("using") or node.args.get("method"):
        raise unsupported(node, "USING or NATURAL with UNNEST or LATERAL", "Write ON ….")
    if kind not in ("INNER", "CROSS", "LEFT") or (kind == "LEFT" and not always):
        raise unsupported(node, "This join with UNNEST", "Write CROSS JOIN or LEFT JOIN … ON TRUE.")
    if isinstance(node.this, exp.Lateral) and isinstance(node.this.this, exp.Subquery):
        how: JoinKind = "LEFT" if kind == "LEFT" else "INNER"
        relation = lateral(builder, left, node.this, withs, how)
    else:
        relation = unnested(builder, left, node.this, outer=kind == "LEFT")
    if always:
        return relation
    return builder.filtered(relation, conjuncts(on) if on is not None else [])


def _using(node: exp.Join, left: Relation, right: Relation, builder: Builder) -> tuple[str, ...]:
    names = tuple(name.name for name in node.args.get("using") or ())
    if str(node.args.get("method") or "").upper() == "NATURAL":
        on_the_right = {field.name for field in right.scope.star}
        names = tuple(f.name for f in left.scope.star if f.name in on_the_right)
    for name in names:
        left.scope.find(name, span=node_span(node))
        right.scope.find(name, span=node_span(node))
    if names and _side(node) == "FULL" and builder.language.shared_type is None:
        raise unsupported(node, "FULL JOIN with USING", "Write ON and COALESCE(a.x, b.x).")
    return names


def _shared_terms(pool: list[exp.Expr], left: Relation, right: Relation) -> list[exp.Expr]:
    """The terms of WHERE that speak of both inputs and of nothing else."""
    found = []
    for term in pool:
        sides = {_owner(column, left, right) for column in term.find_all(exp.Column)}
        if sides == {"left", "right"}:
            found.append(term)
    return found


def _owner(column: exp.Column, left: Relation, right: Relation) -> str:
    first = column.parts[0].name
    sides = []
    for side, relation in (("left", left), ("right", right)):
        if len(column.parts) > 1 and relation.scope.has_alias(first):
            sides.append(side)
        elif not (left.scope.has_alias(first) or right.scope.has_alias(first)):
            sides.extend([side] * bool(relation.scope.lookup(first)))
    return sides[0] if len(sides) == 1 else "neither"


def renamed_side(relation: Relation, tag: int, side: str, *, nulled: bool) -> Relation:
    """One input of a join under the names its columns have in the join."""
    numbers = {field.sql: number for number, field in enumerate(relation.node.fields)}

    def rename(field: Field) -> Field:
        number = numbers[field.sql]
        return replace(
            field,
            type=field.type.as_nullable() if nulled else field.type,
            sql=quote(f"j{tag}{side}{number}"),
            rowtime=field.rowtime and f"{field.rowtime}_{tag}{side}",
        )

    inputs = tuple((alias, tuple(map(rename, fields))) for alias, fields in relation.scope.inputs)
    return Relation(relation.node, replace(relation.scope, inputs=inputs))


def join(
    builder: Builder,
    left: Relation,
    right: Relation,
    *,
    kind: JoinKind,
    terms: list[exp.Expr],
    using: tuple[str, ...] = (),
    version: exp.Expr | None = None,
    asof: exp.Join | None = None,
) -> Relation:
    """Two relations as one; by `asof` a left row has the nearest right one only."""
    if version is not None:
        right = versioned(version, left, right, kind)
    tag = builder.tag()
    absent = builder.language.absent
    nulled = _NULLED.get(kind, "") if absent is None else ""
    a = renamed_side(left, tag, "l", nulled="l" in nulled)
    b = renamed_side(right, tag, "r", nulled="r" in nulled)
    parts = [part for term in terms for part in conjuncts(term)]
    scope = Scope((*a.scope.inputs, *b.scope.inputs))
    compiler = builder.expressions(scope)
    text = _text(parts, using, builder.language.name)
    chosen, same = None, using
    if asof is not None:
        chosen, parts, same = _nearest(compiler, asof, (a.scope, b.scope), parts, using)
    conditions = [compiler.condition(part) for part in parts]
    sides = Sides((left, right), (a, b))
    shared = [sides.of_shared(name, compiler) for name in same]
    equal = (*sides.of_terms(parts, conditions, compiler), *shared)
    if asof is not None and not equal:
        instead = "Write ON a.k = b.k AND a.t >= b.t."
        raise unsupported(asof, "ASOF JOIN without an equality", instead)
    time = join_time(parts, scope, a.scope, b.scope)
    if version is not None:
        time = version_time(version, a.scope, b.scope, right.node, equal)
    elif time.form == "regular":
        time = still(left, right, kind)
    either = _either(builder, a.scope, b.scope, using) if kind == "FULL" else ()
    node = Join(
        left.node,
        right.node,
        kind,
        time.form,
        (*conditions, *(Expr(found.condition, BOOLEAN) for found in shared)),
        text,
        tag,
        (*a.scope.fields, *b.scope.fields, *either),
        equal=equal,
        times=time.times,
        lower_ms=time.lower_ms,
        upper_ms=time.upper_ms,
        current=version is not None and is_current(left.node, time),
        nearest=chosen,
    )
    visible = _visible(a.scope, b.scope, kind, time.form, using)
    if either:
        visible = replace(visible, inputs=(*_hidden(visible.inputs, using), ("", either)))
    return _filled(node, visible, absent)


def _filled(node: Join, visible: Scope, absent: Callable[[DataType], str] | None) -> Relation:
    """The join with what its columns have where a side lacks a row."""
    fields = {field.sql: field for field in visible.fields}
    if absent is not None:
        lacking = tuple(f"`j{node.tag}{side}" for side in _NULLED.get(node.kind, ""))
        fields = {sql: _with_absent(field, lacking, absent) for sql, field in fields.items()}
        inputs = tuple((n, tuple(fields[f.sql] for f in fs)) for n, fs in visible.inputs)
        visible = replace(visible, inputs=inputs)
    return Relation(replace(node, fields=tuple(fields[f.sql] for f in node.fields)), visible)


def _nearest(
    compiler: ExpressionCompiler,
    node: exp.Join,
    scopes: tuple[Scope, Scope],
    parts: list[exp.Expr],
    using: tuple[str, ...],
) -> tuple[Nearest, list[exp.Expr], tuple[str, ...]]:
    """How an ASOF JOIN chooses, and what is left of its condition; of USING the last chooses."""
    left, right = scopes
    if using:
        term: exp.Expr = exp.GTE(this=exp.column(using[-1]), expression=exp.column(using[-1]))
        fields = (left.find(using[-1]), right.find(using[-1]))
        sides = (Expr(fields[0].sql, fields[0].type), Expr(fields[1].sql, fields[1].type))
        return nearest(compiler, term, sides), parts, using[:-1]
    term, others = nearest_of(node, parts, left, right)
    return (
        nearest(compiler, term, (compiler.compile(term.this), compiler.compile(term.expression))),
        others,
        (),
    )


def _either(
    builder: Builder, left: Scope, right: Scope, using: tuple[str, ...]
) -> tuple[Field, ...]:
    """The columns of USING as either side has them, in a type of both."""
    shared, convert = builder.language.shared_type, builder.language.convert
    found = []
    for name in using:
        a, b = left.find(name), right.find(name)
        type_ = shared(a.type, b.type) if shared else None
        if type_ is None or convert is None:
            raise unsupported(exp.column(name), f"USING with types {a.type} and {b.type}", "")
        sides = (convert(Expr(f.sql, f.type), type_).sql for f in (a, b))
        found.append(Field(name, type_, f"coalesce({', '.join(sides)})"))
    return tuple(found)


def _with_absent(
    field: Field, lacking: tuple[str, ...], absent: Callable[[DataType], str]
) -> Field:
    """A column of a side that a row may lack, with what it has then."""
    if field.type.nullable or not field.sql.startswith(lacking):
        return field
    return replace(field, sql=f"coalesce({field.sql}, {absent(field.type)})")


def still(left: Relation, right: Relation, kind: JoinKind) -> JoinTime:
    """A right side that comes to an end is read whole, and the left side keeps its time."""
    waits = kind in ("INNER", "CROSS", "LEFT", "SEMI", "ANTI")
    rests = is_bounded(right.node) and not changing_scans(right.node)
    looked_up = waits and rests and not is_bounded(left.node)
    return JoinTime("lookup" if looked_up else "regular")


def _text(parts: list[exp.Expr], using: tuple[str, ...], dialect: str) -> str:
    if not parts and using:
        return f"USING ({', '.join(using)})"
    return " AND ".join(part.sql(dialect=dialect, comments=False) for part in parts)


def _visible(
    left: Scope, right: Scope, kind: JoinKind, form: JoinForm, using: tuple[str, ...]
) -> Scope:
    """What can be named behind a join, with the times and windows that still mean something."""
    nulled = _NULLED.get(kind, "")
    if form == "regular":
        left, right = timeless(left), timeless(right)
    if form in ("lookup", "temporal"):
        right = timeless(right)
    if "l" in nulled:
        left = _windowless(left)
    if "r" in nulled or form == "interval":
        right = _windowless(right)
    doubled = (using, ()) if kind == "RIGHT" else ((), using)
    inputs = (*_hidden(left.inputs, doubled[0]), *_hidden(right.inputs, doubled[1]))
    return Scope(inputs, common=tuple(dict.fromkeys((*left.common, *right.common, *using))))


def timeless(scope: Scope) -> Scope:
    """After a join that nothing bounds in time, a time is a column like others."""
    inputs = tuple(
        (alias, tuple(replace(f, rowtime="", window="", proctime=False) for f in fields))
        for alias, fields in scope.inputs
    )
    return replace(scope, inputs=inputs)


def _windowless(scope: Scope) -> Scope:
    """The bounds of a window that a row may lack, or that is not the rows' own any more."""
    inputs = tuple((alias, tuple(replace(f, window="") for f in fs)) for alias, fs in scope.inputs)
    return replace(scope, inputs=inputs)


def _hidden(
    inputs: tuple[tuple[str, tuple[Field, ...]], ...], names: tuple[str, ...]
) -> tuple[tuple[str, tuple[Field, ...]], ...]:
    return tuple(
        (alias, tuple(replace(f, hidden=f.hidden or f.name in names) for f in fields))
        for alias, fields in inputs
    )
