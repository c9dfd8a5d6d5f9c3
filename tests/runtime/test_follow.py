"""Views of a warehouse as they are stopped."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from penstock.catalog.catalog import Overrides
from penstock.plan.script import plan_script
from penstock.runtime.commits import SharedGroups
from penstock.runtime.follow import Follower
from penstock.runtime.signals import Signals
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from pathlib import Path

VIEWS = (
    "CREATE TABLE kept (n Int64) ENGINE = Null;"
    "CREATE TABLE queue (n Int64) ENGINE = Kafka('x:1', 't', 'g', 'JSONEachRow');"
) + "".join(f"CREATE MATERIALIZED VIEW {v} TO kept AS SELECT n FROM queue;" for v in "uvw")


def test_views_that_are_stopped_together_have_one_grace(tmp_path: Path) -> None:
    """Who waits for it gives up after some time, however many there are."""
    graces: list[float] = []

    def stop(until: float) -> None:
        graces.append(until)
        time.sleep(0.01)

    queries = plan_script(
        parse(VIEWS, "clickhouse"), name="j", overrides=Overrides(None, {})
    ).queries
    running = [SimpleNamespace(query=q, stop=stop, failure=lambda: None) for q in queries]
    job = SimpleNamespace(_running=running)
    launch = SimpleNamespace(folder=None, session=None, groups=SharedGroups())
    warehouse = SimpleNamespace(text=lambda: "")
    parts = cast("tuple[Any, ...]", (job, launch, warehouse, Signals(tmp_path), None))
    Follower(*parts, retries=True).look()
    assert running == []
    assert len(graces) == 3
    assert max(graces) - min(graces) < 0.005
