"""A whole script → `ScriptPlan`: the one entry for `check`, `explain`, `run` and `Session`.

Statements are planned in order, each by the function that `HANDLERS` names for its kind. A mistake
does not end the planning: all of a script's mistakes are raised together, the first one carrying
the others in `also`. What only follows from an earlier mistake is not told.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.catalog.catalog import Catalog, Overrides
from penstock.errors import PenstockError
from penstock.plan.blink import BLINK
from penstock.plan.clickhouse import CLICKHOUSE
from penstock.plan.clickhouse import HANDLERS as CLICKHOUSE_HANDLERS
from penstock.plan.clickhouse.kept import load, warehouse_of
from penstock.plan.clickhouse.members import readers
from penstock.plan.clickhouse.record import is_at_rest, recorded, steps_of
from penstock.plan.clickhouse.seen import own_views
from penstock.plan.expressions import FLINK
from penstock.plan.planning import Planning
from penstock.plan.query import ScriptPlan
from penstock.plan.settings import check_setting
from penstock.plan.statements import databases, functions, queries, show, tables
from penstock.plan.statements import settings as set_statements
from penstock.sql.clickhouse.statements import CreateMaterializedView, CreateTableAs, made_by
from penstock.sql.depth import nesting
from penstock.sql.statements import (
    AlterDatabase,
    AlterTable,
    AlterView,
    CreateDatabase,
    CreateFunction,
    CreateTable,
    CreateView,
    Describe,
    Drop,
    DropDatabase,
    DropFunction,
    Explain,
    Insert,
    Mistake,
    Note,
    ResetOption,
    Script,
    Select,
    SetOption,
    Show,
    Statement,
    Use,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.plan.language import Language

_NAME = "pipeline.name"
_LANGUAGES: dict[str, Language] = {"blink": BLINK, "clickhouse": CLICKHOUSE, "flink": FLINK}
_CONSEQUENCES = ("BROKEN_TABLE", "BROKEN_FUNCTION")


def plan_script(
    script: Script,
    *,
    name: str,
    overrides: Overrides | None = None,
    settings: tuple[tuple[str, str], ...] = (),
    keeps: bool = False,
) -> ScriptPlan:
    """Resolve and plan each statement in order; `settings` win over the script's own SET.

    With `keeps` all of it has to do with the warehouse, and what is there is not declared again.
    """
    for key, value in settings:
        check_setting(key, value, None)
    overrides = overrides or Overrides()
    warehouse = warehouse_of(script, dict(settings), overrides.warehouse)
    overrides = replace(overrides, warehouse=str(warehouse.path) if warehouse else None)
    planning = Planning(Catalog(overrides), _LANGUAGES[script.dialect], dict(settings))
    set_statements.apply_settings(planning)
    if warehouse and script.dialect == CLICKHOUSE.name:
        planning.kept.by_itself = keeps
        load(planning, warehouse, again=not keeps)
    mistakes = [error for s in script.statements for error in _plan(planning, s)]
    if mistakes:
        raise _together(_once_each(mistakes))
    planning.catalog.check_bindings()
    merged = planning.effective
    own = {query.id for query in own_views(planning)}
    for view, table in readers(own_views(planning))[1].items():
        planning.note(f"The view `{view}` waits: `{table}` reads for its group.", None)
    return ScriptPlan(
        merged.get(_NAME) or name,
        tuple(merged.items()),
        tuple(q for q in planning.queries if q.id in own or q.id not in planning.views),
        tuple(connector.table.name for connector in planning.catalog.tables),
        tuple(planning.results),
        tuple(planning.notes),
        tuple(planning.functions),
        steps_of(planning) if keeps or is_at_rest(planning) else (),
        planning.kept.warehouse,
        planning.kept.loaded,
        overrides,
    )


def _plan(planning: Planning, statement: Statement) -> list[PenstockError]:
    """Plan one statement; its mistakes that are not consequences of earlier ones."""
    try:
        own = _OWN_HANDLERS.get(planning.language.name, {})
        handler = own.get(type(statement)) or HANDLERS[type(statement)]
        is_kept = planning.language is CLICKHOUSE
        around = recorded(planning, statement) if is_kept else nullcontext(statement)
        with nesting(getattr(statement, "span", None)), around as meant:
            handler(planning, meant)
    except PenstockError as error:
        _forget(planning, statement)
        return [one for one in (error, *error.also) if one.code not in _CONSEQUENCES]
    return []


def _forget(planning: Planning, statement: Statement) -> None:
    """What this statement did not create is no mistake where it is used."""
    statement = made_by(statement)
    if isinstance(statement, CreateTable | CreateTableAs):
        planning.catalog.mark_broken(statement.table.name)
    elif isinstance(statement, CreateView | CreateMaterializedView):
        planning.catalog.mark_broken(statement.name)
    elif isinstance(statement, Mistake) and statement.creates:
        planning.catalog.mark_broken(statement.creates)
    elif isinstance(statement, CreateFunction):
        functions.mark_broken(planning, statement)
    elif isinstance(statement, CreateDatabase | Use):
        use = isinstance(statement, Use)
        planning.catalog.namespace.add_broken(statement.name, statement.kind, use=use)


def _once_each(mistakes: list[PenstockError]) -> list[PenstockError]:
    """A table's mistake is met again where the table is used."""
    return list({(error.code, error.span, str(error)): error for error in mistakes}.values())


def _together(mistakes: list[PenstockError]) -> PenstockError:
    first, *others = mistakes
    first.also = tuple(others)
    return first


# What a dialect does in its own way, by the name of its language.
_OWN_HANDLERS: dict[str, dict[type, Callable[..., None]]] = {"clickhouse": CLICKHOUSE_HANDLERS}

HANDLERS: dict[type, Callable[..., None]] = {
    AlterDatabase: databases.alter_database,
    AlterTable: tables.alter_table,
    AlterView: tables.alter_view,
    CreateDatabase: databases.create_database,
    CreateFunction: functions.create_function,
    CreateTable: tables.create_table,
    CreateView: tables.create_view,
    Describe: show.describe,
    Drop: tables.drop,
    DropDatabase: databases.drop_database,
    DropFunction: functions.drop_function,
    Explain: queries.explain,
    Insert: queries.plan_insert,
    Mistake: set_statements.mistake,
    Note: set_statements.note,
    ResetOption: set_statements.reset_option,
    Select: queries.plan_select,
    SetOption: set_statements.set_option,
    Show: show.show,
    Use: databases.use,
}
