"""All views of a warehouse as one plan: what `penstock serve` runs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.catalog.catalog import Catalog, Overrides
from penstock.catalog.definitions import Definitions
from penstock.errors import PlanError
from penstock.plan.clickhouse.kept import load
from penstock.plan.clickhouse.language import CLICKHOUSE
from penstock.plan.nodes import ScriptPlan
from penstock.plan.planning import Planning
from penstock.plan.settings import check_setting
from penstock.plan.statements.settings import apply_settings
from penstock.plan.steps import SetViews, Step

if TYPE_CHECKING:
    from penstock.catalog.warehouse import Warehouse

# What views are asked for by the name of: the job that runs those of a warehouse.
VIEWS_JOB = "warehouse"


def plan_views(
    warehouse: Warehouse, overrides: Overrides, settings: tuple[tuple[str, str], ...]
) -> ScriptPlan:
    """The views whose tables are there and not detached."""
    for key, value in settings:
        check_setting(key, value, None)
    told = replace(overrides, warehouse=str(warehouse.path))
    planning = Planning(Catalog(told), CLICKHOUSE, dict(settings))
    apply_settings(planning)
    load(planning, warehouse)
    views = tuple(query for query in planning.queries if query.id in planning.views)
    if not views:
        raise PlanError("NO_VIEWS", warehouse=warehouse.path, count=len(planning.views))
    return ScriptPlan(
        VIEWS_JOB,
        settings,
        views,
        steps=(Step(SetViews(views), planning.kept.loaded or Definitions()),),
        warehouse=warehouse,
        loaded=planning.kept.loaded,
    )
