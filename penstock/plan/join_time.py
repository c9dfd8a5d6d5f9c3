"""What a join's condition says about time: bounds between two event times, or equal windows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PenstockError
from penstock.sql.intervals import interval_ms

if TYPE_CHECKING:
    from penstock.plan.nodes import JoinForm
    from penstock.plan.scope import Field, Scope

_FLIPPED = {">=": "<=", "<=": ">=", "=": "="}
# A strict bound is kept by the condition itself; for the state the loose one is enough.
_LOOSE: dict[type, str] = {exp.GT: ">=", exp.GTE: ">=", exp.LT: "<=", exp.LTE: "<=", exp.EQ: "="}


@dataclass(slots=True)
class Bounds:
    """Left time minus right time lies between `lower_ms` and `upper_ms`, as far as they are set."""

    times: tuple[Field, Field]
    lower_ms: int | None = None
    upper_ms: int | None = None

    def add(self, operator: str, difference_ms: int) -> None:
        """Left - right is at least, at most, or exactly this."""
        if operator in (">=", "="):
            known = self.lower_ms
            self.lower_ms = difference_ms if known is None else max(known, difference_ms)
        if operator in ("<=", "="):
            known = self.upper_ms
            self.upper_ms = difference_ms if known is None else min(known, difference_ms)


@dataclass(frozen=True, slots=True)
class JoinTime:
    """What bounds a join in time."""

    form: JoinForm
    times: tuple[Field, Field] | None = None
    lower_ms: int = 0
    upper_ms: int = 0


def join_time(
    parts: list[exp.Expr], scope: Scope, left: Scope, right: Scope, using: tuple[str, ...] = ()
) -> JoinTime:
    """What the terms of a condition say: equal windows, a distance of two times, or nothing.

    Columns that both sides have by `USING` are equal, too.
    """
    if is_window_join(parts, scope, left, right, using):
        return JoinTime("window")
    bounds = interval_bounds(parts, scope, left, right)
    if bounds is None or bounds.lower_ms is None or bounds.upper_ms is None:
        return JoinTime("regular")
    return JoinTime("interval", bounds.times, bounds.lower_ms, bounds.upper_ms)


def interval_bounds(
    parts: list[exp.Expr], scope: Scope, left: Scope, right: Scope
) -> Bounds | None:
    """What the terms of a condition say about the distance of two event times."""
    found: Bounds | None = None
    for part in parts:
        for first, operator, second in _comparisons(part):
            a, b = _moment(first, scope), _moment(second, scope)
            if a is None or b is None:
                continue
            if a[0] in right.fields and b[0] in left.fields:
                a, b, operator = b, a, _FLIPPED[operator]
            if a[0] not in left.fields or b[0] not in right.fields:
                continue
            found = found or Bounds((a[0], b[0]))
            if found.times == (a[0], b[0]):
                found.add(operator, b[1] - a[1])
    return found


def is_window_join(
    parts: list[exp.Expr], scope: Scope, left: Scope, right: Scope, using: tuple[str, ...]
) -> bool:
    """Whether both bounds of the windows of two inputs must be equal."""
    shared = ((left.find(name).window, right.find(name).window) for name in using)
    equal = {a for a, b in shared if a and a == b}
    for part in parts:
        if not isinstance(part, exp.EQ):
            continue
        fields = [_field(side, scope) for side in (part.this, part.expression)]
        a, b = fields
        if a is None or b is None or not a.window or a.window != b.window:
            continue
        if (a in left.fields and b in right.fields) or (a in right.fields and b in left.fields):
            equal.add(a.window)
    return {"start", "end"} <= equal


def _comparisons(part: exp.Expr) -> list[tuple[exp.Expr, str, exp.Expr]]:
    part = part.this if isinstance(part, exp.Paren) else part
    if isinstance(part, exp.Between):
        if part.args.get("symmetric"):
            return []
        return [(part.this, ">=", part.args["low"]), (part.this, "<=", part.args["high"])]
    operator = _LOOSE.get(type(part))
    return [(part.this, operator, part.expression)] if operator else []


def _moment(node: exp.Expr, scope: Scope) -> tuple[Field, int] | None:
    """An event time, and the milliseconds that are added to it."""
    node = node.this if isinstance(node, exp.Paren) else node
    if isinstance(node, exp.Add | exp.Sub) and isinstance(node.expression, exp.Interval):
        inside = _moment(node.this, scope)
        sign = 1 if isinstance(node, exp.Add) else -1
        length = _milliseconds(node.expression)
        return (inside[0], inside[1] + sign * length) if inside and length is not None else None
    field = _field(node, scope)
    return (field, 0) if field and field.rowtime else None


def _milliseconds(node: exp.Interval) -> int | None:
    try:
        return interval_ms(node)
    except PenstockError:
        return None


def _field(node: exp.Expr, scope: Scope) -> Field | None:
    if not isinstance(node, exp.Column) or len(node.parts) > 2:
        return None
    return scope.only(node.name, node.table)
