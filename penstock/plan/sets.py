"""UNION, INTERSECT and EXCEPT: two queries of the same columns as one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import DataType, quote
from penstock.plan.nodes import Aggregate, Node, Project, SetOperation, Union
from penstock.plan.scope import Field
from penstock.plan.windows import ROWTIME_COLUMN
from penstock.sql.arithmetic import common_type
from penstock.sql.casts import cast
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.plan.build import Builder, Withs
    from penstock.plan.language import Language


def set_operation(builder: Builder, query: exp.SetOperation, withs: Withs) -> Node:
    """The rows of both queries, or of one that are or are not in the other."""
    left, right = (builder.query(side, withs) for side in (query.this, query.expression))
    word = type(query).__name__.upper()
    types = _types(word, query, left, right, builder.language)
    names = [field.name for field in left.fields]
    first, second = (_converted(side, types, names, builder.language) for side in (left, right))
    distinct = bool(query.args.get("distinct"))
    if isinstance(query, exp.Union):
        fields = tuple(_shared(a, b) for a, b in zip(first.fields, second.fields, strict=True))
        both = Union((first, second), fields)
        return distinct_rows(both) if distinct else both
    fields = tuple(Field(f.name, f.type, f.sql) for f in first.fields)
    kind: Literal["INTERSECT", "EXCEPT"] = "EXCEPT"
    if isinstance(query, exp.Intersect):
        kind = "INTERSECT"
    return SetOperation(first, second, kind, distinct, fields)


def distinct_rows(node: Node) -> Node:
    """Each row once."""
    keys = tuple((f"__key{i}", Expr(f.sql, f.type)) for i, f in enumerate(node.fields))
    fields = tuple(Field(f.name, f.type, quote(f"__key{i}")) for i, f in enumerate(node.fields))
    return Aggregate(node, keys, (), fields)


def _types(
    word: str, query: exp.SetOperation, left: Node, right: Node, language: Language
) -> list[DataType]:
    if len(left.fields) != len(right.fields):
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(query.expression),
            problem=f"{word} joins queries of {len(left.fields)} and {len(right.fields)} columns.",
            instead="Give both the same number of columns.",
        )
    types = []
    for a, b in zip(left.fields, right.fields, strict=True):
        if language.shared_type:
            type_ = language.shared_type(a.type, b.type)
        else:
            type_ = common_type(a.type.as_nullable(), b.type.as_nullable())
        if type_ is None:
            raise PlanError(
                "INVALID_QUERY",
                span=node_span(query.expression),
                problem=f"{word} cannot join `{a.name}` ({a.type}) and `{b.name}` ({b.type}).",
                instead="CAST one of them.",
            )
        types.append(type_)
    return types


def _converted(side: Node, types: list[DataType], names: list[str], language: Language) -> Project:
    columns = tuple(
        (f"c{i}", _as(field, type_, language))
        for i, (field, type_) in enumerate(zip(side.fields, types, strict=True))
    )
    fields = tuple(
        Field(name, type_, quote(f"c{i}"), field.rowtime, proctime=field.proctime)
        for i, (name, field, type_) in enumerate(zip(names, side.fields, types, strict=True))
    )
    return Project(side, columns, fields)


def _as(field: Field, type_: DataType, language: Language) -> Expr:
    if language.convert:
        return Expr(language.convert(Expr(field.sql, field.type), type_).sql, type_)
    return Expr(cast(field.sql, field.type, type_), type_)


def _shared(left: Field, right: Field) -> Field:
    """A column of both: event time only where it is that, and the same one, in both."""
    both = left.rowtime == right.rowtime == ROWTIME_COLUMN
    proctime = left.proctime and right.proctime
    return Field(left.name, left.type, left.sql, ROWTIME_COLUMN * both, proctime=proctime)
