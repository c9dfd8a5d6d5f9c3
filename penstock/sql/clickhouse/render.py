"""A table as ClickHouse's CREATE TABLE, for SHOW CREATE TABLE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.secret import shown_value
from penstock.sql.clickhouse.quoting import back_quoted, full_name, identifier, quoted
from penstock.sql.clickhouse.types import type_name

if TYPE_CHECKING:
    from penstock.model.option import OptionValue
    from penstock.model.table import Column, Table

# option → the clause it came from, in the order ClickHouse writes them
_CLAUSES = {
    "partition_by": "PARTITION BY",
    "primary_key": "PRIMARY KEY",
    "order_by": "ORDER BY",
    "sample_by": "SAMPLE BY",
    "ttl": "TTL",
}
_INDENT = "\n    "


def create_text(table: Table, *, secrets: bool = False) -> str:
    """The statement that would create the table; passwords only with `secrets`."""
    columns = [_column(column) for column in table.columns if column.kind != "metadata"]
    options = {option.key: option for option in table.options}
    lines = [f"CREATE TABLE {full_name(table.name)}"]
    lines += ["(" + _INDENT + f",{_INDENT}".join(columns), ")"]
    lines.append(f"ENGINE = {_engine(options)}")
    lines += [f"{word} {options[key].value}" for key, word in _CLAUSES.items() if key in options]
    settings = [o for key, o in options.items() if _is_setting(key)]
    if settings:
        values = (f"{identifier(o.key)} = {_value(o, secrets=secrets)}" for o in settings)
        lines.append(f"SETTINGS {', '.join(values)}")
    if table.comment:
        lines.append(f"COMMENT {quoted(table.comment)}")
    return "\n".join(lines)


def engine_text(table: Table) -> str:
    """What stands behind `ENGINE =`, without passwords."""
    lines = create_text(table).split("\nENGINE = ", 1)
    return " ".join(lines[-1].split()) if len(lines) > 1 else ""


def expression_text(column: Column) -> str:
    """The DEFAULT, MATERIALIZED or ALIAS expression of a column."""
    node = column.expression or column.default
    return node.sql(dialect="clickhouse") if node else ""


def _column(column: Column) -> str:
    parts = [back_quoted(column.name)]
    parts += [type_name(column.type)] if column.type else []
    kind = "ALIAS" if column.kind == "computed" else column.default_kind
    parts += [f"{kind} {expression_text(column)}".strip()] if kind else []
    parts += [f"COMMENT {quoted(column.comment)}"] if column.comment else []
    parts += [f"TTL {column.ttl.sql(dialect='clickhouse')}"] if column.ttl is not None else []
    return " ".join(parts)


def _engine(options: dict[str, OptionValue]) -> str:
    name = options["engine"].value
    arguments = [o for key, o in options.items() if key.startswith("engine.")]
    if not arguments:
        return name
    texts = (quoted(o.value) if name == "Kafka" else o.value for o in arguments)
    return f"{name}({', '.join(texts)})"


def _is_setting(key: str) -> bool:
    return key not in (*_CLAUSES, "connector", "engine") and "." not in key


def _value(option: OptionValue, *, secrets: bool) -> str:
    value = option.value if secrets else shown_value(option.key, option.value)
    return value if value.isdigit() else quoted(value)
