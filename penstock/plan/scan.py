"""A table in FROM → `Scan`: stored columns, computed columns, the event-time column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import quote
from penstock.plan.expressions import ExpressionCompiler
from penstock.plan.forms import PROCTIME
from penstock.plan.nodes import Scan
from penstock.plan.scope import Field, Scope
from penstock.plan.windows import ROWTIME_COLUMN
from penstock.sql.intervals import interval_ms
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.connectors.base import Connector
    from penstock.model.table import Watermark
    from penstock.plan.language import Language


def scan(connector: Connector, language: Language) -> Scan:
    """Read a table."""
    table = connector.table
    spec = connector.scan()
    stored = {name: Expr(quote(name), type_.as_value()) for name, _, type_ in spec.columns}
    scope = Scope(((table.name, tuple(_field(name, expr) for name, expr in stored.items())),))
    compiler = ExpressionCompiler(scope, language)
    computed = {
        column.name: compiler.compile(column.expression)
        for column in table.columns
        if column.expression is not None
    }
    types = {**stored, **computed}
    watermark = table.watermark
    rowtime = watermark.column if watermark else ""
    fields = tuple(
        Field(
            column.name,
            types[column.name].type,
            quote(column.name),
            ROWTIME_COLUMN if column.name == rowtime else "",
            proctime=types[column.name].sql == PROCTIME.sql,
            hidden=column.hidden,
        )
        for column in table.columns
    )
    delay_ms = _delay_ms(table.name, watermark, fields) if watermark else 0
    return Scan(
        table.name,
        spec,
        tuple(computed.items()),
        fields,
        rowtime,
        delay_ms,
        table.primary_key,
        connector.shown_options(without="sink."),
        tuple((one.name, one.metadata_key) for one in table.columns if one.kind == "metadata"),
    )


def _field(name: str, expr: Expr) -> Field:
    return Field(name, expr.type, expr.sql)


def _names(node: exp.Expr, column: str) -> bool:
    return isinstance(node, exp.Column) and not node.table and node.name == column


def _delay_ms(table: str, watermark: Watermark, fields: tuple[Field, ...]) -> int:
    column = Scope(((table, fields),)).find(watermark.column, span=watermark.span)
    if not column.type.is_time:
        raise PlanError(
            "INVALID_QUERY",
            span=watermark.span,
            problem=f"WATERMARK FOR `{column.name}` needs TIMESTAMP(3) or TIMESTAMP_LTZ(3), "
            f"the column is {column.type}.",
            instead="Add a computed column that converts it, such as "
            f"`ts AS TO_TIMESTAMP_LTZ({column.name}, 3)`.",
        )
    node = watermark.expression
    if _names(node, watermark.column):
        return 0
    if isinstance(node, exp.Sub) and _names(node.this, watermark.column):
        return interval_ms(node.expression)
    raise PlanError(
        "UNSUPPORTED_EXPRESSION",
        span=node_span(node) or watermark.span,
        expression=node.sql(dialect="flink"),
        instead=f"Write WATERMARK FOR {watermark.column} AS {watermark.column} - INTERVAL '…' "
        "SECOND.",
    )
