"""A table or view as the statement that creates it; secrets are masked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.secret import Secret, shown_value, without_secrets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from penstock.catalog.paths import Path
    from penstock.model.table import Column, Table
    from penstock.sql.statements import CreateView


def create_table_text(table: Table, path: Path) -> str:
    """CREATE TABLE, one column and one option a line."""
    lines = [_column(column) for column in table.columns]
    if table.watermark:
        expression = table.watermark.expression.sql(dialect="flink")
        lines.append(f"WATERMARK FOR {_name(table.watermark.column)} AS {expression}")
    if table.primary_key:
        lines.append(f"PRIMARY KEY ({_names(table.primary_key)}) NOT ENFORCED")
    parts = [f"CREATE TABLE {_path(path)} (\n{_indented(lines)}\n)"]
    if table.comment:
        parts.append(f"COMMENT {_text(table.comment)}")
    if table.partitioned_by:
        parts.append(f"PARTITIONED BY ({_names(table.partitioned_by)})")
    written = [option for option in table.options if not isinstance(option.value, Secret)]
    if written:
        options = (f"{_text(o.key)} = {_text(shown_value(o.key, o.value))}" for o in written)
        parts.append(f"WITH (\n{_indented(options)}\n)")
    return "\n".join(parts)


def create_view_text(view: CreateView, path: Path) -> str:
    """CREATE VIEW with its query as it was written."""
    columns = f" ({_names(view.columns)})" if view.columns else ""
    comment = f"\nCOMMENT {_text(view.comment)}" if view.comment else ""
    temporary = "TEMPORARY " if view.temporary else ""
    query = without_secrets(view.text or view.query.sql(dialect="flink"))
    return f"CREATE {temporary}VIEW {_path(path)}{columns}{comment}\nAS {query}"


def _column(column: Column) -> str:
    comment = f" COMMENT {_text(column.comment)}" if column.comment else ""
    if column.expression is not None:
        return f"{_name(column.name)} AS {column.expression.sql(dialect='flink')}{comment}"
    text = f"{_name(column.name)} {column.type}"
    if column.kind == "metadata":
        text += f" METADATA FROM {_text(column.metadata_key)}"
        text += " VIRTUAL" if column.virtual else ""
    return text + comment


def _indented(lines: Iterable[str]) -> str:
    return ",\n".join(f"  {line}" for line in lines)


def _path(path: Path) -> str:
    return ".".join(_name(part) for part in (path.catalog, path.database, path.name))


def _names(names: Iterable[str]) -> str:
    return ", ".join(_name(name) for name in names)


def _name(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
