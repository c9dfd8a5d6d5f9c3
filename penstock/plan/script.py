"""A whole script → `ScriptPlan`: the one entry for `check`, `explain`, `run` and `Session`.

Statements are planned in order, each by the function that `HANDLERS` names for its kind. A mistake
does not end the planning: all of a script's mistakes are raised together, the first one carrying
the others in `also`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from penstock.catalog.catalog import Catalog, Overrides
from penstock.errors import OptionError, PenstockError
from penstock.plan.build import build
from penstock.plan.expressions import FLINK
from penstock.plan.insert import insert
from penstock.plan.nodes import Query, Result, ScriptPlan
from penstock.plan.scan import scan
from penstock.plan.settings import check_setting
from penstock.sql.statements import (
    CreateTable,
    CreateView,
    Drop,
    Insert,
    Mistake,
    ResetOption,
    Script,
    SetOption,
    Statement,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from penstock.plan.language import Language


_NAME = "pipeline.name"
_ZONE = "table.local-time-zone"
_LANGUAGES: dict[str, Language] = {"flink": FLINK}


@dataclass(slots=True)
class Planning:
    """What is known at one point of a script."""

    catalog: Catalog
    language: Language
    settings: dict[str, str] = field(default_factory=dict)
    queries: list[Query] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    sinks: Counter[str] = field(default_factory=Counter)
    zones: dict[str, Insert] = field(default_factory=dict)


def plan_script(
    script: Script,
    *,
    name: str,
    overrides: Overrides | None = None,
    settings: tuple[tuple[str, str], ...] = (),
) -> ScriptPlan:
    """Resolve and plan each statement in order; `settings` win over the script's own SET."""
    planning = Planning(Catalog(overrides or Overrides()), _LANGUAGES[script.dialect])
    mistakes = [error for s in script.statements if (error := _plan(planning, s))]
    if not mistakes:
        planning.catalog.check_bindings()
    if mistakes:
        raise _together(mistakes)
    for key, value in settings:
        check_setting(key, value, None)
    merged = {**planning.settings, **dict(settings)}
    return ScriptPlan(
        merged.get(_NAME) or name,
        tuple(merged.items()),
        tuple(planning.queries),
        tuple(connector.table.name for connector in planning.catalog.tables),
        tuple(planning.results),
    )


def _plan(planning: Planning, statement: Statement) -> PenstockError | None:
    try:
        HANDLERS[type(statement)](planning, statement)
    except PenstockError as error:
        return error
    return None


def _together(mistakes: list[PenstockError]) -> PenstockError:
    first, *others = mistakes
    first.also = tuple(others)
    return first


def _set(planning: Planning, statement: SetOption) -> None:
    check_setting(statement.key, statement.value, statement.span)
    planning.settings[statement.key] = statement.value


def _reset(planning: Planning, statement: ResetOption) -> None:
    kept = {k: v for k, v in planning.settings.items() if statement.key and k != statement.key}
    planning.settings = kept


def _create_table(planning: Planning, statement: CreateTable) -> None:
    planning.catalog.create_table(statement)
    # Planned once for its mistakes: columns, metadata keys, the watermark.
    table = planning.catalog.table(statement.table.name, statement.table.span)
    scan(table, planning.language)


def _create_view(planning: Planning, statement: CreateView) -> None:
    build(statement.query, planning.catalog, planning.language)
    planning.catalog.create_view(statement)


def _drop(planning: Planning, statement: Drop) -> None:
    planning.catalog.drop(statement)


def _insert(planning: Planning, statement: Insert) -> None:
    planning.sinks[statement.table] += 1
    nth = planning.sinks[statement.table]
    query_id = statement.table if nth == 1 else f"{statement.table}#{nth}"
    query = insert(statement, planning.catalog, planning.language, query_id=query_id)
    planning.queries.append(query)
    planning.zones.setdefault(planning.settings.get(_ZONE, "default"), statement)
    if len(planning.zones) > 1:
        _refuse_zones(planning.zones, statement)


def _refuse_zones(zones: Iterable[str], statement: Insert) -> None:
    raise OptionError(
        "INVALID_SETTING",
        span=statement.span,
        key=_ZONE,
        value="' and '".join(zones),
        expected="one zone for all queries of a script; write one script per zone",
    )


def _mistake(planning: Planning, statement: Mistake) -> None:
    raise statement.error


HANDLERS: dict[type, Callable[..., None]] = {
    CreateTable: _create_table,
    CreateView: _create_view,
    Drop: _drop,
    Insert: _insert,
    Mistake: _mistake,
    ResetOption: _reset,
    SetOption: _set,
}
