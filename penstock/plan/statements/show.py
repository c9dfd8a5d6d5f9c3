"""SHOW and DESCRIBE: what the catalog knows, as rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.catalog.render import create_table_text, create_view_text
from penstock.errors import PlanError
from penstock.plan.build import build
from penstock.plan.query import Result
from penstock.plan.scan import scan
from penstock.sql.statements import CreateView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from penstock.connectors.base import Connector
    from penstock.model.span import Span
    from penstock.model.table import Column, Table
    from penstock.plan.planning import Planning
    from penstock.sql.statements import Describe, Show

_DESCRIBED = ("name", "type", "null", "key", "extras", "watermark")


def show(planning: Planning, statement: Show) -> None:
    """The answer to one SHOW."""
    planning.results.append(_SHOWN[statement.what](planning, statement))


def describe(planning: Planning, statement: Describe) -> None:
    """The columns of a table or view."""
    rows = _columns(planning, statement.name, statement.span)
    planning.results.append(Result(_DESCRIBED, tuple(rows)))


def _catalogs(planning: Planning, statement: Show) -> Result:
    return _listed("catalog name", planning.catalog.namespace.databases, statement)


def _databases(planning: Planning, statement: Show) -> Result:
    space = planning.catalog.namespace
    catalog = statement.of or space.catalog
    if catalog not in space.databases:
        raise space.unknown("catalog", catalog, statement.span)
    return _listed("database name", space.databases[catalog], statement)


def _tables(planning: Planning, statement: Show) -> Result:
    heading = "view name" if statement.what == "VIEWS" else "table name"
    space = planning.catalog.namespace
    place = space.database_of(statement.of, statement.span) if statement.of else ()
    catalog, database = place or (space.catalog, space.database)
    space.require(catalog, database, statement.span)
    names = (
        path.name
        for path, entry in planning.catalog.entries.items()
        if (path.catalog, path.database) == (catalog, database)
        and (statement.what == "TABLES" or isinstance(entry, CreateView))
    )
    return _listed(heading, names, statement)


def _functions(planning: Planning, statement: Show) -> Result:
    language = planning.language
    names = {*language.scalar, *language.aggregate, *language.calls}
    own = {name.upper() for name in planning.catalog.functions}
    chosen = own if statement.what == "USER FUNCTIONS" else names | own
    return _listed("function name", (name.lower() for name in chosen), statement)


def _create_table(planning: Planning, statement: Show) -> Result:
    path = planning.catalog.path(statement.of, statement.span)
    if isinstance(planning.catalog.entries_at(path), CreateView):
        raise _wrong_kind(path.shown, "view", "SHOW CREATE VIEW", statement)
    table = planning.catalog.table(statement.of, statement.span).table
    return Result((), ((create_table_text(table, path),),))


def _create_view(planning: Planning, statement: Show) -> Result:
    path = planning.catalog.path(statement.of, statement.span)
    view = planning.catalog.view(statement.of)
    if view is None:
        planning.catalog.table(statement.of, statement.span)
        raise _wrong_kind(path.shown, "table", "SHOW CREATE TABLE", statement)
    return Result((), ((create_view_text(view, path),),))


def _shown_columns(planning: Planning, statement: Show) -> Result:
    rows = _columns(planning, statement.of, statement.span)
    return Result(_DESCRIBED, tuple(row for row in rows if matches(row[0], statement)))


def _partitions(planning: Planning, statement: Show) -> Result:
    table = planning.catalog.table(statement.of, statement.span).table
    if not table.partitioned_by:
        raise PlanError(
            "INVALID_QUERY",
            span=statement.span,
            problem=f"Table `{table.name}` is not partitioned.",
            instead="",
        )
    return Result(("partition name",), ())


def _current_catalog(planning: Planning, statement: Show) -> Result:
    return Result(("current catalog name",), ((planning.catalog.namespace.catalog,),))


def _current_database(planning: Planning, statement: Show) -> Result:
    return Result(("current database name",), ((planning.catalog.namespace.database,),))


def _modules(planning: Planning, statement: Show) -> Result:
    if statement.what == "FULL MODULES":
        return Result(("module name", "used"), (("core", "true"),))
    return Result(("module name",), (("core",),))


def _nothing(planning: Planning, statement: Show) -> Result:
    """A script is planned before its job runs, and it takes no jars."""
    return Result((statement.what.lower(),), ())


def _listed(heading: str, names: Iterable[str], statement: Show) -> Result:
    found = sorted(name for name in names if matches(name, statement))
    return Result((heading,), tuple((name,) for name in found))


def matches(name: str, statement: Show) -> bool:
    """Whether a name is one that LIKE asks for."""
    if statement.like is None:
        return True
    pattern = re.escape(statement.like).replace("%", ".*").replace("_", ".")
    flags = re.DOTALL | (re.IGNORECASE if statement.ignore_case else 0)
    return (re.fullmatch(pattern, name, flags) is not None) != statement.negated


def _columns(planning: Planning, name: str, span: Span) -> list[tuple[str, ...]]:
    view = planning.catalog.view(name)
    if view is not None:
        fields = build(view.query, planning.catalog, planning.language).fields
        names = view.columns or tuple(field.name for field in fields)
        return [
            (name, str(field.type.as_nullable()), _null(field.type.nullable), "", "", "")
            for name, field in zip(names, fields, strict=True)
        ]
    return _table_columns(planning, planning.catalog.table(name, span))


def _table_columns(planning: Planning, connector: Connector) -> list[tuple[str, ...]]:
    table = connector.table
    computed = any(column.kind == "computed" for column in table.columns)
    fields = scan(connector, planning.language).fields if computed else ()
    types = {column.name: column.type for column in table.columns if column.type}
    types.update({field.name: field.type for field in fields})
    key = f"PRI({', '.join(table.primary_key)})"
    return [
        (
            column.name,
            str(types[column.name].as_nullable()),
            _null(types[column.name].nullable),
            key if column.name in table.primary_key else "",
            _extras(column),
            _watermark(table, column),
        )
        for column in table.columns
    ]


def _watermark(table: Table, column: Column) -> str:
    if table.watermark is None or table.watermark.column != column.name:
        return ""
    return table.watermark.expression.sql(dialect="flink")


def _extras(column: Column) -> str:
    if column.expression is not None:
        return f"AS {column.expression.sql(dialect='flink')}"
    if column.kind != "metadata":
        return ""
    return f"METADATA FROM '{column.metadata_key}'" + (" VIRTUAL" if column.virtual else "")


def _null(nullable: bool) -> str:
    return "TRUE" if nullable else "FALSE"


def _wrong_kind(name: str, kind: str, instead: str, statement: Show) -> PlanError:
    return PlanError(
        "INVALID_QUERY",
        span=statement.span,
        problem=f"`{name}` is a {kind}.",
        instead=f"Write {instead}.",
    )


_SHOWN: dict[str, Callable[[Planning, Show], Result]] = {
    "CATALOGS": _catalogs,
    "COLUMNS": _shown_columns,
    "CREATE TABLE": _create_table,
    "CREATE VIEW": _create_view,
    "CURRENT CATALOG": _current_catalog,
    "CURRENT DATABASE": _current_database,
    "DATABASES": _databases,
    "FULL MODULES": _modules,
    "FUNCTIONS": _functions,
    "JARS": _nothing,
    "JOBS": _nothing,
    "MODULES": _modules,
    "PARTITIONS": _partitions,
    "TABLES": _tables,
    "USER FUNCTIONS": _functions,
    "VIEWS": _tables,
}
