"""A whole script → `ScriptPlan`: the one entry for `check`, `explain`, `run` and `Session`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from penstock.catalog.catalog import Catalog, Overrides
from penstock.errors import OptionError
from penstock.plan.build import build
from penstock.plan.insert import insert
from penstock.plan.nodes import Query, ScriptPlan
from penstock.plan.scan import scan
from penstock.plan.settings import check_setting
from penstock.sql.statements import (
    CreateTable,
    CreateView,
    Drop,
    Insert,
    ResetOption,
    SetOption,
    Statement,
)

if TYPE_CHECKING:
    from collections.abc import Iterable


_NAME = "pipeline.name"
_ZONE = "table.local-time-zone"


def plan_script(
    statements: Iterable[Statement],
    *,
    name: str,
    overrides: Overrides | None = None,
    settings: tuple[tuple[str, str], ...] = (),
) -> ScriptPlan:
    """Resolve and plan each statement in order; `settings` win over the script's own SET."""
    catalog = Catalog(overrides or Overrides())
    current: dict[str, str] = {}
    queries: list[Query] = []
    sinks: Counter[str] = Counter()
    zones: dict[str, Insert] = {}
    for statement in statements:
        match statement:
            case SetOption(key, value, span):
                check_setting(key, value, span)
                current[key] = value
            case ResetOption(key, _):
                current = {k: v for k, v in current.items() if key and k != key}
            case CreateTable():
                catalog.create_table(statement)
                # Planned once for its mistakes: columns, metadata keys, the watermark.
                scan(catalog.table(statement.table.name, statement.table.span))
            case Drop():
                catalog.drop(statement)
            case CreateView():
                build(statement.query, catalog)
                catalog.create_view(statement)
            case Insert():
                sinks[statement.table] += 1
                nth = sinks[statement.table]
                query_id = statement.table if nth == 1 else f"{statement.table}#{nth}"
                queries.append(insert(statement, catalog, query_id))
                zones.setdefault(current.get(_ZONE, "default"), statement)
                if len(zones) > 1:
                    _refuse_zones(zones, statement)
    catalog.check_bindings()
    for key, value in settings:
        check_setting(key, value, None)
    merged = {**current, **dict(settings)}
    return ScriptPlan(
        merged.get(_NAME) or name,
        tuple(merged.items()),
        tuple(queries),
        tuple(connector.table.name for connector in catalog.tables),
    )


def _refuse_zones(zones: Iterable[str], statement: Insert) -> None:
    raise OptionError(
        "INVALID_SETTING",
        span=statement.span,
        key=_ZONE,
        value="' and '".join(zones),
        expected="one zone for all queries of a script; write one script per zone",
    )
