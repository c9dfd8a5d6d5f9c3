"""INSERT INTO → `Query`: the query's columns meet the sink's, by position, with Flink's rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.connectors.kafka_specs import KafkaTarget
from penstock.errors import PlanError
from penstock.model.changelog import ChangelogMode
from penstock.model.expression import Expr
from penstock.plan.build import build
from penstock.plan.changelog import by_key, normalized
from penstock.plan.describe import culprit
from penstock.plan.execution import choose_for
from penstock.plan.first_in_time import with_firsts_in_time
from penstock.plan.infer import infer
from penstock.plan.query import Execution, Query
from penstock.plan.settings import (
    DUPLICATES,
    LENGTHS,
    MATERIALIZE,
    NOT_NULL,
    STATE_TTL,
    setting,
)
from penstock.plan.sink_key import SinkKey, sink_key
from penstock.plan.state import lasting
from penstock.plan.timed import with_late_rows, with_time_to_live
from penstock.plan.walk import runs_once, scans
from penstock.plan.wanted import texts, without_unused_numbers
from penstock.plan.window_joins import with_closed_windows
from penstock.plan.windowed import with_sessions_alone
from penstock.sql.casts import cast, limited
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.catalog.catalog import Catalog
    from penstock.connectors.base import Connector
    from penstock.model.span import Span
    from penstock.model.table import Column
    from penstock.plan.language import Language
    from penstock.plan.scope import Field
    from penstock.sql.statements import Insert


def insert(
    statement: Insert,
    catalog: Catalog,
    language: Language,
    *,
    query_id: str,
    settings: Mapping[str, str],
) -> Query:
    """The checked plan of one INSERT."""
    sink = catalog.table(statement.table, statement.span, statement.options)
    spec = sink.sink()
    node = build(statement.query, catalog, language)
    targets = _targets(statement, sink)
    _check_count(statement, targets, node.fields)
    given = {
        target.name: _converted(statement, position, field, target, settings)
        for position, (field, target) in enumerate(zip(node.fields, targets, strict=True), 1)
    }
    columns = tuple(
        (column.name, given.get(column.name) or _absent(column))
        for column in sink.table.sink_columns
    )
    query = Query(query_id, sink.table.name, node, columns, spec, statement.text)
    query = replace(
        query,
        options=sink.shown_options(without="scan."),
        not_null=tuple(c.name for c in targets if c.type and not c.type.nullable),
        primary_key=sink.table.primary_key,
        drops_nulls=setting(settings, NOT_NULL) == "DROP",
    )
    return finish(query, settings, statement.span)


def finish(
    query: Query,
    settings: Mapping[str, str],
    span: Span | None,
) -> Query:
    """The query with its changelog mode and its way to run, both of which its sink must take."""
    asked = without_unused_numbers(query.input, texts(query.columns))
    try:
        query = _told(replace(query, input=asked), settings)
        execution, reason = choose_for(query, settings)
    except PlanError as error:
        error.span = error.span or span
        raise
    step = infer(query.input, needs_before=query.needs_before)
    if step.mode is not ChangelogMode.APPEND:
        _check_order(query, span)
    if step.mode not in query.spec.accepts:
        raise PlanError(
            "SINK_CANNOT_UPDATE",
            span=span,
            table=query.sink_table,
            changes=" and ".join(sorted(step.changes, reverse=True)),
            node=culprit(step),
        )
    for scan in scans(query.input):
        if scan.spec.refusal:
            raise scan.spec.refusal
    mode = ChangelogMode.UPSERT if query.materialized else step.mode
    query = replace(query, mode=mode, execution=execution, reason=reason, span=span)
    lasts = bool(query.materialized) or lasting(step)
    forgets = execution is Execution.CHANGELOG and not runs_once(query) and lasts
    return replace(query, ttl_ms=setting(settings, STATE_TTL) if forgets else 0)


def _told(query: Query, settings: Mapping[str, str]) -> Query:
    """The query with all old rows that its sink, or a step on the way, must be told."""
    by_clock = bool(setting(settings, STATE_TTL))
    if not by_clock:
        # With a time to live Spark does not wait for the watermark: the first row is told at once.
        query = replace(query, input=with_firsts_in_time(query.input))
    known = sink_key(query) if infer(query.input).changes else SinkKey.SAME
    by_setting = {"AUTO": known is SinkKey.OTHER, "FORCE": bool(query.spec.key), "NONE": False}
    materialized = query.spec.key if by_setting[setting(settings, MATERIALIZE)] else ()
    # What gets another key must go by the one it had.
    before = bool(materialized) or known is not SinkKey.SAME
    needs_before = before or ChangelogMode.UPSERT not in query.spec.accepts
    node = normalized(
        query.input,
        takes_upserts=not needs_before,
        wanted=texts(query.columns),
        duplicates=setting(settings, DUPLICATES),
    )
    node = node if needs_before else by_key(node)
    node = with_time_to_live(node) if by_clock else node
    node = with_late_rows(
        with_sessions_alone(node),
        timed=query.spec.target.by_watermark,
        by_clock=by_clock,
    )
    node = with_closed_windows(node, by_clock=by_clock)
    return replace(query, input=node, needs_before=needs_before, materialized=materialized)


def _check_order(query: Query, span: Span | None) -> None:
    """Changes of a row must meet in one task, in their order."""
    target = query.spec.target
    tasks = target.parallelism if isinstance(target, KafkaTarget) else None
    if tasks and tasks > 1 and "key" not in dict(query.spec.columns):
        raise PlanError(
            "INVALID_QUERY",
            span=span,
            problem=f"'sink.parallelism' = '{tasks}' of table `{query.sink_table}` would part the "
            "changes of a row from each other.",
            instead="Set 'key.format' and 'key.fields', or leave 'sink.parallelism' out.",
        )


def _targets(statement: Insert, sink: Connector) -> tuple[Column, ...]:
    columns = {column.name: column for column in sink.table.sink_columns}
    if not statement.columns:
        return tuple(columns.values())
    for name, times in Counter(statement.columns).items():
        if times > 1:
            raise PlanError(
                "INVALID_QUERY",
                span=statement.span,
                problem=f"The column list of INSERT INTO names `{name}` twice.",
                instead="",
            )
        if name not in columns:
            raise PlanError(
                "UNKNOWN_COLUMN",
                span=statement.span,
                column=name,
                did_you_mean="",
                known=", ".join(columns),
            )
    return tuple(columns[name] for name in statement.columns)


def _check_count(statement: Insert, targets: tuple[Column, ...], fields: tuple[Field, ...]) -> None:
    if len(fields) != len(targets):
        raise PlanError(
            "INSERT_COLUMN_COUNT",
            span=statement.span,
            table=statement.table,
            found=len(fields),
            expected=len(targets),
            query_columns=", ".join(f"{f.name}: {f.type}" for f in fields),
            table_columns=", ".join(f"{t.name}: {t.type}" for t in targets),
        )


def _converted(
    statement: Insert,
    position: int,
    field: Field,
    target: Column,
    settings: Mapping[str, str],
) -> Expr:
    assert target.type is not None  # noqa: S101 — a column that INSERT fills has a type
    if not target.type.accepts(field.type):
        item = statement.query.selects[position - 1] if _is_listed(statement, position) else None
        raise PlanError(
            "INSERT_TYPE_MISMATCH",
            span=node_span(item) or statement.span,
            table=statement.table,
            position=position,
            column=item.sql(dialect="flink") if item and "$" in field.name else field.name,
            found=field.type.as_nullable(),
            target=target.name,
            expected=target.type.as_nullable(),
        )
    sql = cast(field.sql, field.type, target.type)
    if setting(settings, LENGTHS) == "TRIM_PAD":
        sql = limited(sql, target.type)
    return Expr(sql, target.type)


def _is_listed(statement: Insert, position: int) -> bool:
    """Whether the n-th column is the n-th item of SELECT: not so with `*` or a UNION."""
    items = statement.query.selects
    return len(items) >= position and not any(item.is_star for item in items[:position])


def _absent(column: Column) -> Expr:
    assert column.type is not None  # noqa: S101 — a column that INSERT fills has a type
    if not column.type.nullable:
        raise PlanError(
            "INVALID_QUERY",
            span=column.span,
            problem=f"Column `{column.name}` is NOT NULL but the INSERT does not fill it.",
            instead="Add it to the column list.",
        )
    return Expr(f"CAST(NULL AS {column.type.spark_sql()})", column.type)
