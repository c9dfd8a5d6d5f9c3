"""INSERT, EXPLAIN and queries by themselves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from sqlglot import exp

from penstock.connectors.print import Print
from penstock.errors import OptionError, PenstockError, PlanError, SqlError
from penstock.model.expression import Expr
from penstock.model.option import OptionValue
from penstock.model.table import Column, Table
from penstock.plan.build import build
from penstock.plan.explain import explain_node, explain_query
from penstock.plan.insert import finish, insert
from penstock.plan.query import Execution, Query, Result
from penstock.plan.settings import ZONE
from penstock.sql.spans import node_span
from penstock.sql.statements import Insert, Select

if TYPE_CHECKING:
    from collections.abc import Iterable

    from penstock.connectors.base import Connector, Overwritable
    from penstock.plan.planning import Planning
    from penstock.sql.statements import Explain

# What queries without INSERT INTO are called in plans and states.
_SELECT = "select"


def plan_insert(planning: Planning, statement: Insert) -> None:
    """A query of the job."""
    name = planning.catalog.path(statement.table, statement.span).shown
    planning.sinks[name] += 1
    nth = planning.sinks[name]
    try:
        query = _planned(planning, statement, name if nth == 1 else f"{name}#{nth}")
    except PenstockError as error:
        error.span = error.span or statement.span
        raise
    planning.queries.append(query)
    planning.zones.setdefault(planning.effective.get(ZONE, "default"), statement)
    if len(planning.zones) > 1:
        _refuse_zones(planning.zones, statement)


def _planned(planning: Planning, statement: Insert, query_id: str) -> Query:
    sink = planning.catalog.table(statement.table, statement.span)
    if statement.overwrite and not sink.OVERWRITES:
        raise SqlError(
            "UNSUPPORTED_CLAUSE",
            span=statement.span,
            clause=f"INSERT OVERWRITE into a '{sink.name}' table",
            instead="Write INSERT INTO.",
        )
    if sink.table.partitioned_by and not sink.PARTITIONED:
        raise PlanError(
            "INVALID_QUERY",
            span=statement.span,
            problem=f"Table `{sink.table.name}` is PARTITIONED BY, which a '{sink.name}' table "
            "cannot be when it is written.",
            instead="Leave PARTITIONED BY out of its CREATE TABLE.",
        )
    if statement.partition:
        statement = _with_partition(statement, sink)
    query = insert(
        statement,
        planning.catalog,
        planning.language,
        query_id=query_id,
        settings=planning.effective,
    )
    return _overwriting(statement, query) if statement.overwrite else query


def _overwriting(statement: Insert, query: Query) -> Query:
    """What stood in the table before is replaced; a stream could not say when."""
    if query.execution is not Execution.BATCH:
        raise PlanError(
            "UNSUPPORTED_QUERY",
            span=statement.span,
            feature="INSERT OVERWRITE",
            instead="Streaming mode not support overwrite; read bounded tables, or INSERT INTO.",
        )
    target = cast("Overwritable", query.spec.target)
    return replace(query, spec=replace(query.spec, target=target.overwriting()))


def _with_partition(statement: Insert, sink: Connector) -> Insert:
    """`PARTITION (k = v)` is one more column of the query, the same for each row."""
    fixed = dict(statement.partition)
    for name, value in fixed.items():
        if name not in sink.table.partitioned_by:
            raise PlanError(
                "UNKNOWN_COLUMN",
                span=node_span(value),
                column=name,
                did_you_mean="",
                known=", ".join(sink.table.partitioned_by) or "no partition columns",
            )
    columns = statement.columns or tuple(
        column.name for column in sink.table.sink_columns if column.name not in fixed
    )
    alias = exp.TableAlias(this=exp.to_identifier("__rows"))
    source = exp.Subquery(this=statement.query, alias=alias)
    items = [exp.Star(), *(exp.alias_(value, name) for name, value in fixed.items())]
    query = exp.select(*items).from_(source)
    return replace(statement, columns=(*columns, *fixed), query=query, partition=())


def _refuse_zones(zones: Iterable[str], statement: Insert) -> None:
    raise OptionError(
        "INVALID_SETTING",
        span=statement.span,
        key=ZONE,
        value="' and '".join(zones),
        expected="one zone for all queries of a script; write one script per zone",
    )


def explain(planning: Planning, statement: Explain) -> None:
    """The plan of an INSERT or of a query as text; nothing is run."""
    explained = statement.statement
    if isinstance(explained, Insert):
        name = planning.catalog.path(explained.table).shown
        text = explain_query(_planned(planning, explained, name))
    elif isinstance(explained, Select):
        text = explain_node(build(explained.query, planning.catalog, planning.language))
    else:
        raise SqlError(
            "UNSUPPORTED_CLAUSE",
            span=statement.span,
            clause="EXPLAIN of anything but INSERT or a query",
            instead="`penstock explain` shows a whole script.",
        )
    planning.results.append(Result((), ((text,),)))


def plan_select(planning: Planning, statement: Select) -> None:
    """A query by itself: its rows are printed, as into a `print` table."""
    node = build(statement.query, planning.catalog, planning.language)
    shown = tuple(field for field in node.fields if not field.hidden)
    columns = tuple((f"c{i}", Expr(field.sql, field.type)) for i, field in enumerate(shown))
    table = Table(
        _SELECT,
        tuple(Column(name, "physical", expr.type) for name, expr in columns),
        (OptionValue("connector", "print"),),
    )
    planning.sinks[_SELECT] += 1
    nth = planning.sinks[_SELECT]
    query = Query(
        _SELECT if nth == 1 else f"{_SELECT}#{nth}",
        "standard output",
        node,
        columns,
        Print(table).sink(),
        statement.text,
    )
    planning.queries.append(finish(query, planning.effective, statement.span))
