"""Starts the job of the views of a warehouse: it runs them as they are defined, see `follow`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.plan.clickhouse.serve import VIEWS_JOB
from penstock.runtime.follow import Follower
from penstock.runtime.job import Job
from penstock.runtime.launch import Launch
from penstock.runtime.signals import Signals

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from penstock.plan.query import ScriptPlan
    from penstock.runtime.state import JobFolder, JobLock


def follow_views(
    plan: ScriptPlan,
    session: SparkSession,
    *,
    lock: JobLock,
    folder: JobFolder,
    names: frozenset[str] | None,
) -> Job:
    """A job of the views of a warehouse, until it is stopped; `names` None: all, and for ever."""
    from penstock.spark.session import jvm_pid

    warehouse = plan.warehouse
    assert warehouse  # noqa: S101 — who follows one has one
    folder.path.mkdir(parents=True, exist_ok=True)
    plan = replace(plan, name=VIEWS_JOB, steps=())
    resumed = any(folder.has_progress(query.id) for query in plan.queries)
    job = Job(VIEWS_JOB, folder, resumed, False, (), lock)
    lock.held_with(jvm_pid(session))
    job.follower = Follower(
        job,
        Launch(plan, session, folder, drain=False),
        warehouse,
        Signals(warehouse.path),
        names,
        retries=names is None,
    )
    job.follower.signals.begin()
    job.look()
    return job
