"""What the columns of a join are called in it and behind it, and what they have where a side lacks.

Used by `plan.joins` and by what else joins: subqueries.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.model.expression import Expr
from penstock.model.types import quote
from penstock.plan.nodes import Project
from penstock.plan.relations import Relation, unsupported
from penstock.plan.scope import Field, Scope
from penstock.sql.arithmetic import common_type
from penstock.sql.casts import cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.model.types import DataType
    from penstock.plan.build import Builder
    from penstock.plan.nodes import Join, JoinForm, JoinKind

# The sides that a row of a join may lack.
NULLED = {"LEFT": "r", "RIGHT": "l", "FULL": "lr"}
# Types that have no NULL where others do.
_WITHOUT_NULL = ("ARRAY", "MAP", "STATE")


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


def filled(
    node: Join, seen: Scope, absent: Callable[[DataType], str] | None, *, nulls: str
) -> Relation:
    """The join with what its columns have where a side lacks a row; of `nulls` NULL if it can."""
    fields = {field.sql: field for field in seen.fields}
    if absent is not None:
        lacking = tuple(f"`j{node.tag}{side}" for side in NULLED.get(node.kind, ""))
        nulled = tuple(f"`j{node.tag}{side}" for side in nulls)
        fields = {s: _with_absent(f, lacking, nulled, absent) for s, f in fields.items()}
        inputs = tuple((n, tuple(fields[f.sql] for f in fs)) for n, fs in seen.inputs)
        seen = replace(seen, inputs=inputs)
    return Relation(replace(node, fields=tuple(fields[f.sql] for f in node.fields)), seen)


def either_side(
    builder: Builder, left: Scope, right: Scope, using: tuple[str, ...], *, nullable: bool
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
        told = type_.as_nullable() if nullable else type_
        found.append(Field(name, told, f"coalesce({', '.join(sides)})"))
    return tuple(found)


def of_either(
    left: Scope, right: Scope, using: tuple[str, ...], *, tag: int
) -> tuple[tuple[Field, Expr], ...]:
    """The same in Flink's types, each a column of its own: `j0e0` is what it is computed as."""
    found = []
    for number, name in enumerate(using):
        a, b = left.find(name), right.find(name)
        type_ = common_type(a.type.as_nullable(), b.type.as_nullable())
        if type_ is None:
            raise unsupported(exp.column(name), f"USING with types {a.type} and {b.type}", "")
        sides = ", ".join(cast(f.sql, f.type, type_) for f in (a, b))
        field = Field(name, type_.as_nullable(), quote(f"j{tag}e{number}"))
        found.append((field, Expr(f"coalesce({sides})", field.type)))
    return tuple(found)


def with_either(relation: Relation, either: tuple[tuple[Field, Expr], ...]) -> Relation:
    """A join with columns that are of either side, beside its own, which keep their names."""
    node = relation.node
    if not either:
        return relation
    own = ((field.sql.strip("`"), Expr(field.sql, field.type)) for field in node.fields)
    more = ((field.sql.strip("`"), expr) for field, expr in either)
    fields = (*node.fields, *(field for field, _ in either))
    return replace(relation, node=Project(node, (*own, *more), fields))


def _with_absent(
    field: Field,
    lacking: tuple[str, ...],
    nulled: tuple[str, ...],
    absent: Callable[[DataType], str],
) -> Field:
    """A column of a side that a row may lack, with what it has then."""
    if field.sql.startswith(nulled) and field.type.root not in _WITHOUT_NULL:
        return replace(field, type=field.type.as_nullable())
    if field.type.nullable or not field.sql.startswith(lacking):
        return field
    return replace(field, sql=f"coalesce({field.sql}, {absent(field.type)})")


def visible(
    left: Scope,
    right: Scope,
    kind: JoinKind,
    form: JoinForm,
    using: tuple[str, ...],
    either: tuple[Field, ...],
) -> Scope:
    """What can be named behind a join, with the times and windows that still mean something.

    Columns of USING that are of `either` side stand for those of both.
    """
    nulled = NULLED.get(kind, "")
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
    if either:
        inputs = (*_hidden(inputs, using), ("", either))
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
    """The inputs, with columns of these names left out of `*`."""
    return tuple(
        (alias, tuple(replace(f, hidden=f.hidden or f.name in names) for f in fields))
        for alias, fields in inputs
    )
