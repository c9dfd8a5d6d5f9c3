"""ClickHouse's tables for the expression compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.model.expression import Expr
from penstock.plan.clickhouse import calls, literals
from penstock.plan.clickhouse.comparisons import truth
from penstock.plan.clickhouse.operators import OPERATORS
from penstock.plan.clickhouse.randoms import drawn_once
from penstock.plan.language import Language
from penstock.sql.clickhouse.casts import cast
from penstock.sql.clickhouse.numbers import INT64, common_type
from penstock.sql.clickhouse.text import enum_number
from penstock.sql.clickhouse.types import default_sql, type_name
from penstock.sql.functions.clickhouse import AGGREGATE, OVER, SCALAR

if TYPE_CHECKING:
    from collections.abc import Callable

_HANDLERS: dict[type, Callable[..., Expr]] = {
    **OPERATORS,
    exp.Anonymous: calls.call,
    exp.Array: literals.array,
    exp.Boolean: literals.boolean,
    exp.Case: calls.case,
    exp.Cast: calls.cast_node,
    exp.CastToStrType: calls.cast_text,
    exp.HexString: literals.hexadecimal,
    exp.If: calls.ternary,
    exp.Literal: literals.number_literal,
    exp.Null: literals.null,
    exp.RawString: literals.heredoc,
    exp.Tuple: literals.tuple_,
}
HANDLERS = {kind: drawn_once(handler) for kind, handler in _HANDLERS.items()}


def _order_key(value: Expr) -> Expr:
    """The elements of an Enum are sorted by their numbers."""
    return Expr(enum_number(value), INT64) if value.type.labels else value


CLICKHOUSE = Language(
    "clickhouse",
    SCALAR,
    AGGREGATE,
    HANDLERS,
    {},
    groups_by_alias=True,
    truth=truth,
    shared_type=common_type,
    convert=cast,
    order_key=_order_key,
    absent=default_sql,
    over=OVER,
    stars_by_table=True,
    type_text=type_name,
    default_database="default",
)
