"""The views of a warehouse as it is now: what `penstock serve` runs, and what waits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from penstock.catalog.catalog import Catalog, Overrides
from penstock.plan.clickhouse.kept import load, unusable_views
from penstock.plan.clickhouse.language import CLICKHOUSE
from penstock.plan.clickhouse.needs import reasons
from penstock.plan.planning import Planning
from penstock.plan.query import Query, ScriptPlan
from penstock.plan.settings import check_setting
from penstock.plan.statements.settings import apply_settings
from penstock.plan.steps import SetViews, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.catalog.warehouse import Warehouse

# What views are asked for by the name of: the job that runs those of a warehouse.
VIEWS_JOB = "warehouse"


@dataclass(frozen=True, slots=True)
class Views:
    """Those that can run, and why others wait."""

    queries: tuple[Query, ...]
    waiting: tuple[tuple[str, str], ...]


def views_of(
    warehouse: Warehouse, overrides: Overrides, settings: tuple[tuple[str, str], ...]
) -> Views:
    """The views of a warehouse, planned anew."""
    told = replace(overrides, warehouse=str(warehouse.path))
    planning = Planning(Catalog(told), CLICKHOUSE, dict(settings))
    apply_settings(planning)
    load(planning, warehouse)
    waiting = ((name, ", ".join(reasons(planning, name))) for name in planning.views)
    return Views(
        tuple(query for query in planning.queries if query.id in planning.views),
        (*((name, why) for name, why in waiting if why), *_unusable(planning)),
    )


def _unusable(planning: Planning) -> Iterator[tuple[str, str]]:
    """Views that cannot be understood any more."""
    for name, one in unusable_views(planning).items():
        if not one.detached:
            why = planning.catalog.unusable[name].rstrip(".")
            yield name, f"it cannot be used: {why}"


def plan_views(
    warehouse: Warehouse, overrides: Overrides, settings: tuple[tuple[str, str], ...]
) -> ScriptPlan:
    """All views whose tables are there and not detached, to be followed from then on."""
    for key, value in settings:
        check_setting(key, value, None)
    loaded, found = warehouse.read(), views_of(warehouse, overrides, settings)
    views = found.queries
    return ScriptPlan(
        VIEWS_JOB,
        settings,
        views,
        steps=(Step(SetViews(views), loaded),) if views else (),
        warehouse=warehouse,
        loaded=loaded,
        overrides=overrides,
        notes=tuple(f"The view `{name}` waits: {why}." for name, why in found.waiting),
    )
