"""A parsed CREATE TABLE → `CreateTable`: columns, watermark, primary key, options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import SqlError
from penstock.model.option import OptionValue
from penstock.model.table import Column, Table, Watermark
from penstock.sql.flink import MetadataColumnConstraint
from penstock.sql.spans import node_span
from penstock.sql.statements import CreateTable
from penstock.sql.types import data_type

if TYPE_CHECKING:
    from penstock.model.span import Span


def create_table(node: exp.Create, span: Span) -> CreateTable:
    """The declared table, or the first thing in it that is not understood."""
    schema = node.this
    if not isinstance(schema, exp.Schema) or node.expression:
        raise SqlError(
            "UNSUPPORTED_CLAUSE",
            span=span,
            clause="CREATE TABLE without a column list",
            instead="List the columns: CREATE TABLE t (a INT, …) WITH (…).",
        )
    name = table_name(schema.this)
    columns = tuple(_column(part) for part in schema.expressions if _is_column(part))
    _refuse_duplicates(name, columns)
    options, comment = _properties(node)
    table = Table(
        name=name,
        columns=columns,
        options=options,
        watermark=_watermark(schema),
        primary_key=_primary_key(schema),
        span=node_span(schema.this) or span,
        comment=comment,
    )
    return CreateTable(table, bool(node.args.get("exists")), span)


def table_name(node: exp.Expr) -> str:
    """A table's name as written, its parts joined by dots."""
    name = ".".join(part.name for part in node.parts) if isinstance(node, exp.Table) else node.name
    return name.removeprefix("default_catalog.").removeprefix("default_database.")


def _is_column(part: exp.Expr) -> bool:
    return not isinstance(part, exp.WatermarkColumnConstraint | exp.PrimaryKey | exp.Constraint)


def _column(node: exp.Expr) -> Column:
    span = node_span(node)
    if not isinstance(node, exp.ColumnDef):
        raise SqlError(
            "SYNTAX_ERROR",
            span=span,
            problem=f"Column `{node.name}` has no type.",
            dialect_note="Write its type after the name, or AS and an expression.",
        )
    constraints = [constraint.args["kind"] for constraint in node.constraints]
    comment = next((c.name for c in constraints if isinstance(c, exp.CommentColumnConstraint)), "")
    kind = node.args.get("kind")
    declared = data_type(kind, node.name) if kind else None
    for constraint in constraints:
        if isinstance(constraint, MetadataColumnConstraint):
            key = constraint.name or node.name
            virtual = bool(constraint.args.get("virtual"))
            return Column(
                node.name, "metadata", declared, span, None, key, virtual=virtual, comment=comment
            )
        if isinstance(constraint, exp.ComputedColumnConstraint):
            return Column(node.name, "computed", None, span, constraint.this, comment=comment)
        if not isinstance(constraint, exp.CommentColumnConstraint | exp.PrimaryKeyColumnConstraint):
            raise SqlError(
                "UNSUPPORTED_CLAUSE",
                span=span,
                clause=f"`{constraint.sql()}` on column `{node.name}`",
                instead="Allowed: NOT NULL, COMMENT, METADATA, PRIMARY KEY NOT ENFORCED.",
            )
    return Column(node.name, "physical", declared, span, comment=comment)


def _refuse_duplicates(table: str, columns: tuple[Column, ...]) -> None:
    seen: set[str] = set()
    for column in columns:
        if column.name.startswith("__"):
            raise SqlError("RESERVED_NAME", span=column.span, table=table, column=column.name)
        if column.name in seen:
            raise SqlError("DUPLICATE_COLUMN", span=column.span, table=table, column=column.name)
        seen.add(column.name)


def _watermark(schema: exp.Schema) -> Watermark | None:
    found = [p for p in schema.expressions if isinstance(p, exp.WatermarkColumnConstraint)]
    if len(found) > 1:
        raise SqlError(
            "UNSUPPORTED_CLAUSE",
            span=node_span(found[1]),
            clause="A second WATERMARK declaration",
            instead="Currently only at most one WATERMARK declaration is supported for a table.",
        )
    if not found:
        return None
    node = found[0]
    return Watermark(node.this.name, node.expression, node_span(node.this))


def _primary_key(schema: exp.Schema) -> tuple[str, ...]:
    for part in schema.expressions:
        parts = part.expressions if isinstance(part, exp.Constraint) else [part]
        for constraint in parts:
            if isinstance(constraint, exp.PrimaryKey):
                return tuple(column.name for column in constraint.expressions)
        if isinstance(part, exp.ColumnDef):
            for constraint in part.constraints:
                if isinstance(constraint.args["kind"], exp.PrimaryKeyColumnConstraint):
                    return (part.name,)
    return ()


def _properties(node: exp.Create) -> tuple[tuple[OptionValue, ...], str]:
    options, comment = [], ""
    properties = node.args.get("properties")
    for part in properties.expressions if properties else []:
        if isinstance(part, exp.SchemaCommentProperty):
            comment = part.name
        elif isinstance(part, exp.Property) and type(part) is exp.Property:
            options.append(_option(part))
        elif not isinstance(part, exp.TemporaryProperty):
            raise SqlError(
                "UNSUPPORTED_CLAUSE",
                span=node_span(part),
                clause=f"`{part.sql()}` in CREATE TABLE",
                instead="",
            )
    return tuple(options), comment


def _option(node: exp.Property) -> OptionValue:
    key = node.this
    text = ".".join(p.name for p in key.parts) if isinstance(key, exp.Dot) else key.name
    return OptionValue(text, node.args["value"].name, node_span(key))
