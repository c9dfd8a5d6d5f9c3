"""SHOW, DESCRIBE and EXISTS of ClickHouse: what the catalog knows, in its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.catalog.paths import DEFAULT_DATABASE
from penstock.connectors.answer import Heading, answer_text
from penstock.plan.clickhouse.listing import column_rows, database_rows, table_rows
from penstock.plan.clickhouse.view_text import plain_text, shown_text
from penstock.plan.query import Result
from penstock.plan.statements.show import matches
from penstock.sql.clickhouse.cursor import database_name
from penstock.sql.clickhouse.quoting import full_name
from penstock.sql.clickhouse.render import create_text
from penstock.sql.clickhouse.statements import Exists
from penstock.sql.names import parts_of
from penstock.sql.statements import CreateView, Describe, Show

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.catalog.paths import Path
    from penstock.plan.planning import Planning
    from penstock.sql.clickhouse.statements import Formatted

_DESCRIBED = ("name", "type", "default_kind", "default_expression", "comment")
_CREATED = ("statement",)
_HEADINGS = ("name", "type", "default_type", "default_expression", "comment")


def show(planning: Planning, statement: Show) -> None:
    """The answer to one SHOW; a statement stands by itself, to be read and copied."""
    found = _SHOWN[statement.what](planning, statement)
    planning.results.append(Result((), found.rows) if found.columns == _CREATED else found)


def _headed(planning: Planning, statement: Show) -> None:
    planning.results.append(_SHOWN[statement.what](planning, statement))


def describe(planning: Planning, statement: Describe) -> None:
    """The columns of a table or view, with ClickHouse's types."""
    path = planning.catalog.path(statement.name, statement.span)
    rows = _columns(planning, path)
    if not rows:
        raise planning.catalog.unknown(path, statement.span)
    planning.results.append(Result(_HEADINGS, rows))


def _columns(planning: Planning, path: Path) -> tuple[tuple[str, ...], ...]:
    place = ("default" if path.database == DEFAULT_DATABASE else path.database, path.name)
    found = (row for row in column_rows(planning) if (row["database"], row["table"]) == place)
    return tuple(tuple(str(row[key]) for key in _DESCRIBED) for row in found)


def exists(planning: Planning, statement: Exists) -> None:
    """Whether there is such a table, view or database."""
    if statement.kind == "DATABASE":
        found = parts_of(statement.name)[-1] in {row["name"] for row in database_rows(planning)}
    else:
        path = planning.catalog.path(statement.name, statement.span)
        place = ("default" if path.database == DEFAULT_DATABASE else path.database, path.name)
        kinds = {(r["database"], r["name"]): r["engine"] for r in table_rows(planning)}
        is_view = kinds.get(place) in ("View", "MaterializedView")
        found = place in kinds and (is_view or statement.kind != "VIEW")
    planning.results.append(Result(("result",), ((str(int(found)),),)))


def formatted(planning: Planning, statement: Formatted) -> None:
    """The answer as a text in the format that the statement names."""
    _ANSWERS[type(statement.statement)](planning, statement.statement)
    result = planning.results.pop()
    is_number = isinstance(statement.statement, Exists)
    type_ = "UInt8" if is_number else "String"
    headings = [Heading(name, is_number, type_) for name in result.columns]
    text = answer_text(headings, result.rows, statement.format, statement.span)
    if text:
        planning.results.append(Result((), ((text,),)))


def _create(planning: Planning, statement: Show) -> Result:
    path = planning.catalog.path(statement.of, statement.span)
    entry, view = planning.catalog.entries_at(path), planning.views.get(path.shown)
    if (entry is None and view is None) or path.shown in planning.catalog.detached:
        raise planning.catalog.unknown(path, statement.span)
    if view is not None:
        text = shown_text(planning, view)
    elif isinstance(entry, CreateView):
        text = plain_text(entry, path.shown)
    else:
        text = create_text(planning.catalog.table(statement.of, statement.span).table)
    return Result(_CREATED, ((text,),))


def _create_database(planning: Planning, statement: Show) -> Result:
    text = f"CREATE DATABASE {full_name(statement.of)}\nENGINE = Atomic"
    return Result(_CREATED, ((text,),))


def _tables(planning: Planning, statement: Show) -> Result:
    space = planning.catalog.namespace
    database = database_name(parts_of(statement.of)[-1]) if statement.of else space.database
    space.require(space.catalog, database, statement.span)
    shown = "default" if database == DEFAULT_DATABASE else database
    names = {str(row["name"]) for row in table_rows(planning) if row["database"] == shown}
    return Result(("name",), tuple((n,) for n in sorted(names) if matches(n, statement)))


def _databases(planning: Planning, statement: Show) -> Result:
    names = sorted(str(row["name"]) for row in database_rows(planning))
    return Result(("name",), tuple((n,) for n in names if matches(n, statement)))


def _shown_columns(planning: Planning, statement: Show) -> Result:
    path = planning.catalog.path(statement.of, statement.span)
    rows = _columns(planning, path)
    if not rows:
        raise planning.catalog.unknown(path, statement.span)
    return Result(_HEADINGS, tuple(row for row in rows if matches(row[0], statement)))


# What FORMAT is of.
_ANSWERS: dict[type, Callable[..., None]] = {Describe: describe, Exists: exists, Show: _headed}
_SHOWN: dict[str, Callable[[Planning, Show], Result]] = {
    "COLUMNS": _shown_columns,
    "CREATE DATABASE": _create_database,
    "CREATE TABLE": _create,
    "CREATE VIEW": _create,
    "DATABASES": _databases,
    "TABLES": _tables,
}
