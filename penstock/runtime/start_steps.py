"""Starts a script with tables at rest: its steps one after the other, then its views.

Called by `penstock run`, `sql` and `serve`, and by `Session.execute`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import RunError
from penstock.plan.clickhouse.serve import VIEWS_JOB
from penstock.plan.steps import RunOnce, Tell
from penstock.runtime.signals import ChangeLock
from penstock.runtime.state import JobFolder
from penstock.runtime.steps import StepRun

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

    from penstock.catalog.warehouse import Warehouse
    from penstock.plan.query import ScriptPlan
    from penstock.runtime.job import Job
    from penstock.runtime.state import JobLock
    from penstock.runtime.steps import How


def start_steps(
    plan: ScriptPlan,
    session: SparkSession,
    *,
    folder: JobFolder,
    how: How,
    replan: Callable[[], ScriptPlan],
) -> Job | None:
    """Carry out a script with tables at rest; the job that goes on, None if somebody stopped it.

    1 who runs views takes their lock; 2 who changes definitions waits for its turn, and 3 plans
    anew if they were changed meanwhile, as who changes none does before each of its steps; 4 the
    steps; 5 others may change definitions again, 6 while the views run and follow. A crash after
    any of these leaves no lock and no hold behind.
    """
    from penstock.spark.delta import require_delta

    assert plan.warehouse  # noqa: S101 — steps come with it
    require_delta(session)
    warehouse = plan.warehouse
    # Spark has taken its time to start.
    plan = _current(plan, replan)
    # Who only reads and inserts may do so beside whoever runs the views.
    changes = not all(isinstance(step.action, RunOnce | Tell) for step in plan.steps)
    changes |= how.views == "all"
    lock = _views_lock(warehouse) if changes and how.views != "none" else folder.lock()
    changing = None
    try:
        changing = ChangeLock(warehouse.path) if changes else None
        plan = _current(plan, replan) if changing else plan
        run = StepRun(plan, session, folder, warehouse, how, lock, None if changing else replan)
        ended = run.run()
        if changing:
            changing.release()
        job = run.standing() if ended else None
    except BaseException:
        lock.release()
        raise
    finally:
        if changing:
            changing.release()
    if job is None:
        lock.release()
    return job


def _current(plan: ScriptPlan, replan: Callable[[], ScriptPlan]) -> ScriptPlan:
    """The plan, made anew if definitions were changed since."""
    return plan if plan.warehouse and plan.warehouse.read() == plan.loaded else replan()


def _views_lock(warehouse: Warehouse) -> JobLock:
    try:
        return JobFolder(VIEWS_JOB, warehouse.path).lock()
    except RunError as error:
        if error.code != "JOB_ALREADY_RUNNING":
            raise
        pid = error.facts["pid"]
        raise RunError("VIEWS_ARE_SERVED", warehouse=warehouse.path, pid=pid) from error
