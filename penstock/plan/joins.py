"""JOIN → `Join`: what bounds it in time decides how long its state is kept and how it can run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import BOOLEAN
from penstock.plan.equalities import Sides
from penstock.plan.infer import changing_scans, is_bounded
from penstock.plan.join_scope import (
    NULLED,
    either_side,
    filled,
    of_either,
    renamed_side,
    visible,
    with_either,
)
from penstock.plan.join_time import JoinTime, join_time
from penstock.plan.lateral import lateral
from penstock.plan.nearest import nearest_partner
from penstock.plan.nodes import Join, JoinKind
from penstock.plan.rank import ranked
from penstock.plan.relations import Relation, unnested, unsupported
from penstock.plan.scope import Field, Scope
from penstock.plan.temporal import is_current, version_time, versioned
from penstock.plan.terms import conjuncts
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.plan.build import Builder, Withs

# The method of a join that only some dialects have: they rewrite their own words as it.
ASOF = "ASOF"
# The mark of a join whose sides "l", "r" or both are Nullable, where the dialect has them not so.
NULLS = "nulls"
# By side the joins in which a condition on it alone says which of its rows there are.
_RANKED_BY_ON = {"left": ("INNER", "RIGHT"), "right": ("INNER", "LEFT")}


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
    using, nulls = _using(node, left, right), node.meta.get(NULLS, "")
    if str(node.args.get("method") or "").upper() == ASOF:
        if builder.language.shared_type is None:
            raise unsupported(node, "ASOF JOIN", "")
        terms = [term for part in ([on] if on is not None else []) for term in conjuncts(part)]
        made = join(
            builder, left, right, kind=kind, terms=terms, using=using, asof=node, nulls=nulls
        )
        return made, []
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
    made = join(
        builder, left, right, kind=kind, terms=parts, using=using, version=version, nulls=nulls
    )
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
    terms = [] if always or on is None else conjuncts(on)
    query = isinstance(node.this, exp.Lateral) and isinstance(node.this.this, exp.Subquery)
    numbered = bool(terms) and node.this.args.get("offset")
    if kind not in ("INNER", "CROSS", "LEFT") or (kind == "LEFT" and terms and (query or numbered)):
        raise unsupported(node, "This join with UNNEST", "Write CROSS JOIN or LEFT JOIN … ON TRUE.")
    if query:
        how: JoinKind = "LEFT" if kind == "LEFT" else "INNER"
        relation = lateral(builder, left, node.this, withs, how)
    elif kind == "LEFT":
        return unnested(builder, left, node.this, outer=True, terms=terms)
    else:
        relation = unnested(builder, left, node.this, outer=False)
    return builder.filtered(relation, terms) if terms else relation


def _using(node: exp.Join, left: Relation, right: Relation) -> tuple[str, ...]:
    names = tuple(name.name for name in node.args.get("using") or ())
    if str(node.args.get("method") or "").upper() == "NATURAL":
        on_the_right = {field.name for field in right.scope.star}
        names = tuple(f.name for f in left.scope.star if f.name in on_the_right)
    for name in names:
        left.scope.find(name, span=node_span(node))
        right.scope.find(name, span=node_span(node))
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
    nulls: str = "",
) -> Relation:
    """Two relations as one; by `asof` a left row has the nearest right one only.

    What a row lacks of the sides `nulls` is NULL, whatever the dialect says.
    """
    if version is not None:
        right = versioned(version, left, right, kind)
    parts = [part for term in terms for part in conjuncts(term)]
    if version is None and asof is None:
        left, right, parts = _ranked_sides(left, right, kind, parts)
    tag = builder.tag()
    absent = builder.language.absent
    nulled = NULLED.get(kind, "") if absent is None else ""
    a = renamed_side(left, tag, "l", nulled="l" in nulled)
    b = renamed_side(right, tag, "r", nulled="r" in nulled)
    scope = Scope((*a.scope.inputs, *b.scope.inputs))
    compiler = builder.expressions(scope)
    text = _text(parts, using, builder.language.name)
    chosen, same = None, using
    if asof is not None:
        chosen, parts, same = nearest_partner(compiler, asof, (a.scope, b.scope), parts, using)
    conditions = [compiler.condition(part) for part in parts]
    sides = Sides((left, right), (a, b))
    paired = [sides.of_shared(name, compiler) for name in same]
    equal = (*sides.of_terms(parts, conditions, compiler), *paired)
    if asof is not None and not equal:
        instead = "Write ON a.k = b.k AND a.t >= b.t."
        raise unsupported(asof, "ASOF JOIN without an equality", instead)
    time = join_time(parts, scope, a.scope, b.scope, same)
    if version is not None:
        time = version_time(version, a.scope, b.scope, right.node, equal)
    elif time.form == "regular":
        time = still(left, right, kind)
    named = using if kind == "FULL" else ()
    either: tuple[Field, ...] = ()
    apart: tuple[tuple[Field, Expr], ...] = ()
    if builder.language.shared_type is None:
        apart = of_either(a.scope, b.scope, named, tag=tag)
    else:
        either = either_side(builder, a.scope, b.scope, named, nullable=bool(nulls))
    node = Join(
        left.node,
        right.node,
        kind,
        time.form,
        (*conditions, *(Expr(found.condition, BOOLEAN) for found in paired)),
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
    shared = (*either, *(field for field, _ in apart))
    seen = visible(a.scope, b.scope, kind, time.form, using, shared)
    return with_either(filled(node, seen, absent, nulls=nulls), apart)


def _ranked_sides(
    left: Relation, right: Relation, kind: JoinKind, parts: list[exp.Expr]
) -> tuple[Relation, Relation, list[exp.Expr]]:
    """The sides whose row numbers the condition bounds as top-N, and the rest of the condition."""
    sides = {"left": left, "right": right}
    for name, kinds in _RANKED_BY_ON.items():
        owners = [{_owner(c, left, right) for c in part.find_all(exp.Column)} for part in parts]
        own = [p for p, found in zip(parts, owners, strict=True) if found == {name}]
        if kind in kinds and own:
            node, rest = ranked(sides[name].node, sides[name].scope, own)
            sides[name] = replace(sides[name], node=node)
            parts = [part for part in parts if part not in own or part in rest]
    return sides["left"], sides["right"], parts


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
