"""SELECT, INSERT and materialized views of ClickHouse → queries of the job."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.connectors.clickhouse_kafka import ClickHouseKafka
from penstock.connectors.kafka_specs import KafkaSource
from penstock.connectors.merge_tree import MergeTreeTable
from penstock.connectors.result import DEFAULT_FORMAT, result_sink
from penstock.errors import PlanError, SqlError
from penstock.model.expression import Expr
from penstock.plan.build import build
from penstock.plan.clickhouse.blocks import followed, view_execution
from penstock.plan.clickhouse.filled import check_read, into_target
from penstock.plan.clickhouse.insert import filled, matched, sink_of, targets
from penstock.plan.clickhouse.keys import merged_by
from penstock.plan.clickhouse.left_out import by_name, may_be_left_out, stored_names
from penstock.plan.clickhouse.needs import tables_read
from penstock.plan.clickhouse.prune import pruned, with_scans
from penstock.plan.clickhouse.refusals import invalid
from penstock.plan.clickhouse.rewrite import rewrite
from penstock.plan.clickhouse.rows import rows_of
from penstock.plan.clickhouse.settings import check_settings, format_settings, with_session
from penstock.plan.clickhouse.system import know_system
from penstock.plan.clickhouse.table_functions import table_functions
from penstock.plan.explain import explain_query
from penstock.plan.insert import finish
from penstock.plan.query import Query, Result
from penstock.plan.settings import DIRECT_SELECT
from penstock.plan.walk import scans
from penstock.sql.clickhouse.numbers import as_number
from penstock.sql.clickhouse.query_settings import settings_of
from penstock.sql.statements import Insert, Select

if TYPE_CHECKING:
    from sqlglot import exp

    from penstock.model.span import Span
    from penstock.plan.language import Language
    from penstock.plan.nodes import Node, Scan
    from penstock.plan.planning import Planning
    from penstock.sql.clickhouse.statements import CreateMaterializedView, InsertRows
    from penstock.sql.statements import Explain


def plan_insert(planning: Planning, statement: Insert, asked: Node | None = None) -> None:
    """`INSERT INTO table query`, which may be `asked` of what there was before."""
    statement = into_target(planning, statement)
    name = planning.catalog.path(statement.table, statement.span).shown
    planning.sinks[name] += 1
    nth = planning.sinks[name]
    query_id = name if nth == 1 else f"{name}#{nth}"
    planning.queries.append(_insert(planning, statement, query_id, asked))


def plan_rows(planning: Planning, statement: InsertRows) -> None:
    """`INSERT INTO table VALUES …`."""
    statement = into_target(planning, statement)
    sink = planning.catalog.table(statement.table, statement.span)
    check_settings(statement.settings)
    given = targets(sink.table, statement.columns, statement.span)
    settings = format_settings(planning.settings, statement.settings)
    node = rows_of(statement, given, planning.language, settings)
    spec = sink_of(sink, planning.language, statement.span)
    planning.sinks[sink.table.name] += 1
    nth = planning.sinks[sink.table.name]
    columns = filled(
        sink.table,
        matched(sink.table, given, node.fields, statement.span),
        planning.language,
        statement.span,
    )
    name = sink.table.name if nth == 1 else f"{sink.table.name}#{nth}"
    query = Query(name, sink.table.name, node, columns, spec, statement.text)
    planning.queries.append(finish(query, planning.effective, statement.span))


def plan_select(planning: Planning, statement: Select) -> None:
    """A query whose rows are the result."""
    count = sum(query.id.startswith("select#") for query in planning.queries)
    planning.queries.append(_select(planning, statement, f"select#{count + 1}"))


def explain(planning: Planning, statement: Explain) -> None:
    """The plan of a query as text; nothing is run."""
    inner = statement.statement
    if isinstance(inner, Select):
        query = _select(planning, inner, "select")
    elif isinstance(inner, Insert):
        query = _insert(planning, into_target(planning, inner), inner.table)
    else:
        raise SqlError(
            "UNSUPPORTED_CLAUSE",
            span=statement.span,
            clause="EXPLAIN of anything but SELECT and INSERT",
            instead="`penstock explain` shows a whole script.",
        )
    planning.results.append(Result((), ((explain_query(query),),)))


def plan_view(planning: Planning, view: CreateMaterializedView, *, is_there: bool = False) -> Query:
    """A materialized view: columns go by name, each block is seen by itself.

    One that `is_there` leaves out what its `*` has by now, and its table has not.
    """
    sink = planning.catalog.table(view.target or view.name, view.span)
    spec = sink_of(sink, planning.language, view.span)
    for _, function in table_functions(view.query):
        problem = f"A materialized view cannot be created from table functions: `{function}`."
        raise invalid(problem, view.span)
    check_read(planning, view, tables_read(view))
    node = _built(planning, view.query)
    execution, reason = view_execution(node, view.span)
    given = by_name(node.fields, view.query)
    if is_there:
        starred = may_be_left_out(view.query, planning.catalog)
        left_out = starred - stored_names(sink.table)
        given = {name: field for name, field in given.items() if name not in left_out}
    known = targets(sink.table, tuple(given), view.span)
    columns = filled(
        sink.table, {c.name: given[c.name] for c in known}, planning.language, view.span
    )
    name = planning.catalog.path(view.name).shown
    block = _bounded(node)
    query = Query(name, sink.table.name, block, columns, spec, view.text)
    done = finish(query, planning.effective, view.span)
    return pruned(
        replace(done, input=followed(node, view.span), execution=execution, reason=reason)
    )


def asked(planning: Planning, query: exp.Query, span: Span | None) -> Node:
    """The plan of a query over what is there now."""
    node = _built(planning, with_session(planning, query))
    _check_direct(planning, node, query, span)
    return node


def _insert(
    planning: Planning, statement: Insert, query_id: str, node: Node | None = None
) -> Query:
    sink = planning.catalog.table(statement.table, statement.span)
    spec = sink_of(sink, planning.language, statement.span)
    node = node or asked(planning, statement.query, statement.span)
    given = targets(sink.table, statement.columns, statement.span)
    chosen = matched(sink.table, given, node.fields, statement.span)
    columns = filled(sink.table, chosen, planning.language, statement.span)
    query = Query(query_id, sink.table.name, _read_now(node), columns, spec, statement.text)
    return pruned(finish(query, planning.effective, statement.span))


def _select(planning: Planning, statement: Select, query_id: str) -> Query:
    node = asked(planning, statement.query, statement.span)
    format_ = statement.query.args.get("format")
    names = [field.name for field in node.fields]
    # Two columns may be called the same.
    places = (n if n not in names[:at] else f"{n}#{at}" for at, n in enumerate(names))
    shown = (_shown(Expr(f.sql, f.type)) for f in node.fields)
    columns = tuple(zip(places, shown, strict=True))
    named = zip(node.fields, columns, strict=True)
    fields = tuple((field.name, column, expr.type) for field, (column, expr) in named)
    settings = format_settings(planning.settings, settings_of(statement.query))
    name = format_.name if format_ else DEFAULT_FORMAT
    spec = result_sink(fields, name, settings, statement.span)
    query = Query(query_id, "result", _read_now(node), columns, spec, statement.text)
    return pruned(finish(query, planning.effective, statement.span))


def _shown(value: Expr) -> Expr:
    """What a comparison gives is a UInt8 to whoever asks."""
    return as_number(value) if value.type.precision else value


def _built(planning: Planning, query: exp.Query) -> Node:
    check_settings(settings_of(query))
    know_system(planning, query)
    node = build(rewrite(query, planning.catalog), planning.catalog, planning.language)
    return with_scans(node, lambda scan: _merged(scan, planning.language))


def _merged(scan: Scan, language: Language) -> Scan:
    """With FINAL of a key that is computed, how."""
    spec = scan.spec
    if not isinstance(spec.source, MergeTreeTable) or not spec.source.merge:
        return scan
    rule = merged_by(spec.source.merge, spec.columns, scan.table, language)
    return replace(scan, spec=replace(spec, source=replace(spec.source, merge=rule)))


def _check_direct(planning: Planning, node: Node, query: exp.Query, span: Span | None) -> None:
    """A Kafka table is read by views; a SELECT must be allowed, and no view may read it too."""
    said = {value.key: value.value for value in settings_of(query)}
    allowed = {**planning.settings, **said}.get(DIRECT_SELECT, "0")
    for scan in scans(node):
        with planning.catalog.namespace.using():
            connector = planning.catalog.table(scan.table, span)
        if not isinstance(connector, ClickHouseKafka):
            continue
        readers = [
            query.id
            for query in planning.queries
            if query.id in planning.views and any(s.table == scan.table for s in scans(query.input))
        ]
        if readers:
            raise PlanError("VIEW_ATTACHED", span=span, table=scan.table, view=readers[0])
        if allowed not in ("1", "true"):
            raise PlanError("NO_DIRECT_SELECT", span=span, table=scan.table, setting=DIRECT_SELECT)


def _read_now(node: Node) -> Node:
    """The plan over what is there now, read directly.

    ClickHouse has blocks of one row there: the limit of broken messages in a block is none of all.
    """

    def read(scan: Scan) -> Scan:
        source = scan.spec.source
        if not isinstance(source, KafkaSource):
            return scan
        failures = replace(source.reading.failures, most_per_batch=None)
        any_left_out = replace(source, reading=replace(source.reading, failures=failures))
        return replace(scan, spec=replace(scan.spec, source=any_left_out))

    return with_scans(_bounded(node), read)


def _bounded(node: Node) -> Node:
    """The plan over what is there now: one block, or a table as it stands."""
    return with_scans(node, lambda scan: replace(scan, spec=replace(scan.spec, bounded=True)))
