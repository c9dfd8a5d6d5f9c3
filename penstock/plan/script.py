"""A whole script → `ScriptPlan`: the one entry for `check`, `explain`, `run` and `Session`."""

from __future__ import annotations

import difflib
from collections import Counter
from typing import TYPE_CHECKING

from penstock.catalog.catalog import Catalog, Overrides
from penstock.errors import OptionError
from penstock.plan.insert import insert
from penstock.plan.nodes import Query, ScriptPlan
from penstock.sql.statements import (
    CreateTable,
    CreateView,
    Insert,
    ResetOption,
    SetOption,
    Statement,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from penstock.model.span import Span

# What SET may say: a prefix that is passed on or kept for later stages.
_PREFIXES = (
    "spark.",
    "penstock.",
    "pipeline.",
    "table.",
    "execution.",
    "parallelism.",
    "state.",
    "sql-client.",
    "restart-strategy",
)
_NAME = "pipeline.name"


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
    for statement in statements:
        match statement:
            case SetOption(key, value, span):
                _check_setting(key, span)
                current[key] = value
            case ResetOption(key, _):
                current = {k: v for k, v in current.items() if key and k != key}
            case CreateTable():
                catalog.create_table(statement)
            case CreateView():
                catalog.create_view(statement)
            case Insert():
                sinks[statement.table] += 1
                nth = sinks[statement.table]
                query_id = statement.table if nth == 1 else f"{statement.table}-{nth}"
                queries.append(insert(statement, catalog, query_id))
    catalog.check_bindings()
    for key, _ in settings:
        _check_setting(key, None)
    merged = {**current, **dict(settings)}
    return ScriptPlan(
        merged.get(_NAME) or name,
        tuple(merged.items()),
        tuple(queries),
        tuple(connector.table.name for connector in catalog.tables),
    )


def _check_setting(key: str, span: Span | None) -> None:
    if key.startswith(_PREFIXES):
        return
    near = difflib.get_close_matches(key, _PREFIXES, n=1)
    raise OptionError(
        "UNKNOWN_SETTING",
        span=span,
        key=key,
        did_you_mean=f" Did you mean '{near[0]}…'?" if near else "",
        prefixes=", ".join(f"'{prefix}'" for prefix in _PREFIXES),
    )
