"""ORDER BY … WITH FILL: rows for the values of a column that no row has.

1 the least and greatest value of each group that the order makes before the column, 2 all values
between them, or from FROM up to TO, 3 a full join with the rows: what only the values have is a
new row, with defaults in its other columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import DataType, quote
from penstock.plan.nodes import Aggregate, Project, Unnest
from penstock.plan.relations import Relation, unsupported
from penstock.plan.scope import Field, Scope
from penstock.sql.clickhouse.numbers import INTEGERS
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.plan.build import Builder

# type → a value as a whole number, and back
_NUMBERS = {
    **dict.fromkeys(INTEGERS, ("CAST({} AS BIGINT)", "CAST({} AS {type})")),
    "DATE": ("CAST(unix_date({}) AS BIGINT)", "date_from_unix_date(CAST({} AS INT))"),
    "DATE32": ("CAST(unix_date({}) AS BIGINT)", "date_from_unix_date(CAST({} AS INT))"),
    "TIMESTAMP_LTZ": ("unix_seconds({})", "timestamp_seconds({})"),
}
# unit → how much of a date and of a time it is at least; 0 where it is no step of the type
_UNITS = {
    "SECOND": (0, 1),
    "MINUTE": (0, 60),
    "HOUR": (0, 3600),
    "DAY": (1, 82800),
    "WEEK": (7, 601200),
    "MONTH": (28, 2415600),
    "QUARTER": (89, 7686000),
    "YEAR": (365, 31532400),
}
# Units that are the same everywhere: counted, not added one after the other.
_EXACT = {"DATE": ("DAY", "WEEK"), "TIMESTAMP_LTZ": ("SECOND", "MINUTE", "HOUR")}


@dataclass(frozen=True, slots=True)
class _Step:
    """So many of the column's own unit, or with `unit` so many of these."""

    count: int
    unit: str = ""


def filled_rows(
    builder: Builder, node: Project, parts: list[exp.Ordered], terms: list[Expr]
) -> Project:
    """The rows with those that WITH FILL adds; `terms` are columns of theirs, in order."""
    (place,) = (at for at, part in enumerate(parts) if part.args.get("with_fill"))
    named = [(f"f{at}", name, expr.type) for at, (name, expr) in enumerate(node.columns)]
    own = {quote(name): Field(alias, type_, quote(name)) for alias, name, type_ in named}
    keys = [own[term.sql] for term in terms[: place + 1]]
    if any(key.type.nullable for key in keys[:-1]):
        raise unsupported(parts[place], "WITH FILL behind a Nullable column", "")
    points = _points(builder, node, parts[place], keys)
    every = tuple(own.values())
    joined = builder.join(
        Relation(Project(node.input, node.columns, every), Scope((("rows", every),))),
        points,
        kind="FULL",
        terms=[],
        using=tuple(key.name for key in keys),
    )
    found = ((name, joined.scope.find(alias)) for alias, name, _ in named)
    columns = tuple((name, Expr(field.sql, field.type)) for name, field in found)
    return Project(joined.node, columns, node.fields)


def _points(builder: Builder, node: Project, part: exp.Ordered, keys: list[Field]) -> Relation:
    """Every value that is to be there, beside the groups it is for."""
    *groups, key = keys
    grouped = tuple((f"__g{at}", Expr(g.sql, g.type)) for at, g in enumerate(groups))
    bounds = tuple((f"__{name}", Expr(f"{name}({key.sql})", key.type)) for name in ("min", "max"))
    ends = Aggregate(node, grouped, bounds, ())
    column = f"__u{builder.tag()}"
    values = _values(builder, part, key)
    unnested = Unnest(ends, column, Expr(values, _list_of(key.type)), False, "", ())
    fields = (
        *(Field(g.name, g.type, quote(f"p{at}")) for at, g in enumerate(groups)),
        Field(key.name, key.type, quote(f"p{len(groups)}")),
    )
    read = [*(Expr(quote(name), e.type) for name, e in grouped), Expr(quote(column), key.type)]
    columns = tuple((f"p{at}", expr) for at, expr in enumerate(read))
    points = Project(unnested, columns, fields)
    return Relation(points, Scope((("points", fields),)))


def _list_of(type_: DataType) -> DataType:
    return DataType("ARRAY", children=(("element", type_),), nullable=False)


def _values(builder: Builder, part: exp.Ordered, key: Field) -> str:
    """An array of the values, over the least and greatest value that there are."""
    fill, type_ = part.args["with_fill"], key.type
    desc = bool(part.args.get("desc"))
    if fill.args.get("interpolate"):
        raise unsupported(part, "INTERPOLATE", "Rows that are filled in have defaults.")
    if type_.root not in _NUMBERS or (type_.root == "TIMESTAMP_LTZ" and type_.precision):
        raise unsupported(part, f"WITH FILL of {type_}", "Whole numbers, Date and DateTime can be.")
    step = _step(fill.args.get("step") or None, part, desc=desc)
    first, last = ("__max", "__min") if desc else ("__min", "__max")
    start = _bound(builder, fill.args.get("from_"), key) or first
    end = _bound(builder, fill.args.get("to"), key) or last
    number, value = _NUMBERS[type_.root]
    low, high = number.format(start), number.format(end)
    if not step.unit or step.unit in _EXACT.get(type_.root, ()):
        size = step.count * (_size(step, type_, part) if step.unit else 1)
        inside = f"{high} {'+' if desc else '-'} 1"
        some = f"{low} {'>' if desc else '<'} {high}"
        back = value.format("x", type=type_.spark_sql())
        return f"if({some}, transform(sequence({low}, {inside}, {size}L), x -> {back}), NULL)"
    return _stepped(builder, part, key, step, (start, end, low, high))


def _stepped(
    builder: Builder, part: exp.Ordered, key: Field, step: _Step, ends: tuple[str, str, str, str]
) -> str:
    """Months are added one after the other, as ClickHouse does: a 30th stays a 29th after one."""
    start, end, low, high = ends
    most = f"CAST(abs({high} - {low}) div {abs(step.count) * _size(step, key.type, part)} AS INT)"
    last = Field("last", key.type, "try_element_at(kept, -1)")
    interval = exp.Interval(this=exp.Literal.number(abs(step.count)), unit=exp.Var(this=step.unit))
    sign = exp.Sub if step.count < 0 else exp.Add
    added = builder.expressions(Scope((("", (last,)),))).compile(
        sign(this=exp.column("last"), expression=interval)
    )
    convert = builder.language.convert
    following = convert(added, key.type).sql if convert else added.sql
    every = (
        f"aggregate(sequence(0, {most}), array({start}), "
        f"(kept, i) -> concat(kept, array({following})))"
    )
    return f"filter({every}, x -> x {'>' if step.count < 0 else '<'} {end})"


def _size(step: _Step, type_: DataType, part: exp.Ordered) -> int:
    size = _UNITS.get(step.unit, (0, 0))[type_.root == "TIMESTAMP_LTZ"]
    if not size or type_.root in INTEGERS:
        raise unsupported(part, f"WITH FILL of {type_} by {step.unit}", "")
    return size


def _step(node: exp.Expr | None, part: exp.Ordered, *, desc: bool) -> _Step:
    sign = -1 if isinstance(node, exp.Neg) else 1
    inner = node.this if isinstance(node, exp.Neg) else node
    unit = inner.unit.name.upper() if isinstance(inner, exp.Interval) and inner.unit else ""
    if isinstance(inner, exp.Interval):
        inner = inner.this
    if isinstance(inner, exp.Neg):
        sign, inner = -sign, inner.this
    text = inner.name if isinstance(inner, exp.Literal) else "1" if inner is None else ""
    count = sign * int(text) if text.isdigit() else 0
    if node is None and desc:
        count = -count
    if not count or (count < 0) != desc:
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(part),
            problem="WITH FILL has a STEP of a whole number or INTERVAL: above 0 where the order "
            "is ascending, below 0 where it is descending.",
            instead="",
        )
    return _Step(count, unit)


def _bound(builder: Builder, node: exp.Expr | bool | None, key: Field) -> str:
    """FROM or TO as a value of the column; "" if there is none."""
    convert = builder.language.convert
    if not isinstance(node, exp.Expr) or convert is None:
        return ""
    return convert(builder.expressions(Scope(())).compile(node), key.type).sql
