"""The generated parts of the page on ClickHouse: its types, settings, functions and refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.connectors.clickhouse_virtual import virtual
from penstock.formats.clickhouse import CLICKHOUSE_FORMATS
from penstock.sql.clickhouse.type_reader import REFUSED as REFUSED_TYPES
from penstock.sql.clickhouse.type_reader import type_of
from penstock.sql.clickhouse.types import TYPES, type_name
from penstock.sql.functions.clickhouse import AGGREGATES, ALIASES, REFUSED, TOPICS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from penstock.sql.functions.clickhouse.base import Table

# Types with parameters, as an example of each.
_WITH_PARAMETERS = (
    *("Decimal(10, 2)", "FixedString(8)", "DateTime", "DateTime('Asia/Tokyo')", "DateTime64(3)"),
    *("Enum8('a' = 1)", "Array(UInt8)", "Map(String, UInt64)", "Tuple(a UInt8, b String)"),
)


def _table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [header, ("---",) * len(header), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in lines
    )


def _types() -> str:
    plain = (
        (t.name, ", ".join(t.aliases), type_of(t.name, "").spark_sql()) for t in TYPES.values()
    )
    more = ((name, "", type_of(name, "").spark_sql()) for name in _WITH_PARAMETERS)
    rows = [(f"`{name}`", aliases, f"`{spark}`") for name, aliases, spark in (*plain, *more)]
    return _table(("type", "also written", "in Spark"), rows)


def _refused_types() -> str:
    return _table(
        ("type", "instead"), ((f"`{name}`", why) for name, why in sorted(REFUSED_TYPES.items()))
    )


def _virtual_columns() -> str:
    columns = virtual("t", error_sql="")
    return _table(("column", "type"), ((f"`{m.key}`", f"`{type_name(m.type)}`") for m in columns))


def _formats() -> str:
    rows = (
        (
            f"`{format_.name}`",
            ", ".join(f"`{alias}`" for alias in format_.ALIASES),
            (format_.__doc__ or "").strip(),
            "R/W" if format_.ENCODE else "R",
        )
        for format_ in dict.fromkeys(CLICKHOUSE_FORMATS.values())
    )
    return _table(("format", "also", "a message", "R/W"), rows)


def _format_settings() -> str:
    users: dict[str, list[str]] = {}
    options = {}
    for format_ in dict.fromkeys(CLICKHOUSE_FORMATS.values()):
        for option in format_.OPTIONS:
            options[option.key] = option
            users.setdefault(option.key, []).append(format_.name)
    rows = (
        (
            f"`{key}`",
            f"`{int(option.default) if isinstance(option.default, bool) else option.default}`",
            option.type_name,
            option.description,
            ", ".join(users[key]),
        )
        for key, option in sorted(options.items())
    )
    return _table(("setting", "default", "type", "description", "formats"), rows)


def _calls(table: Table) -> str:
    rows = (
        (f"`{name}{signature.describe()}`", signature.describe_result())
        for name, signatures in sorted(table.items())
        for signature in signatures
    )
    return _table(("call", "gives"), rows)


def _functions() -> str:
    topics = (f"### {title}\n\n{_calls(table)}" for title, table in TOPICS.items())
    aliases = _table(
        ("name", "the same as"), ((f"`{a}`", f"`{name}`") for a, name in sorted(ALIASES.items()))
    )
    return "\n\n".join([*topics, f"### Other names\n\n{aliases}"])


def _refused() -> str:
    return _table(
        ("function", "reason"), ((f"`{name}`", why) for name, why in sorted(REFUSED.items()))
    )


PARTS: dict[str, Callable[[], str]] = {
    "clickhouse-aggregates": lambda: _calls(AGGREGATES),
    "clickhouse-format-settings": _format_settings,
    "clickhouse-formats": _formats,
    "clickhouse-functions": _functions,
    "clickhouse-refused-functions": _refused,
    "clickhouse-refused-types": _refused_types,
    "clickhouse-types": _types,
    "clickhouse-virtual-columns": _virtual_columns,
}
