"""Starts the job of a planned script: called by `penstock run` and by `Session.execute`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.connectors.kafka_specs import KafkaSource
from penstock.errors import PenstockError
from penstock.plan.clickhouse.members import readers
from penstock.plan.walk import needs_delta, runs_once, scans
from penstock.runtime import status
from penstock.runtime.commits import SharedGroups
from penstock.runtime.consumers import informed
from penstock.runtime.go_on_in_zone import go_on_in_zone
from penstock.runtime.job import Job
from penstock.runtime.launch import Launch
from penstock.runtime.query_ids import with_kept_ids
from penstock.runtime.real_time import check_slots
from penstock.runtime.together import Together

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from penstock.plan.query import ScriptPlan
    from penstock.runtime.state import JobFolder, JobLock
    from penstock.runtime.status import QueryStatus


def start_job(
    plan: ScriptPlan,
    session: SparkSession,
    *,
    folder: JobFolder,
    lock: JobLock,
    drain: bool,
    groups: SharedGroups | None = None,
    tells: bool = True,
) -> Job:
    """Start every query of a plan; if one cannot start, none is left running.

    `groups` are those that it shares with queries of other jobs. Unless it `tells`, what is said
    of the job is left to another that has the same folder.
    """
    from penstock.spark.session import active, jvm_pid

    try:
        plan = with_kept_ids(plan, folder)
        plan = replace(plan, queries=tuple(map(informed, plan.queries)))
    except PenstockError:
        lock.release()
        raise
    known = plan.queries
    plan, idle = _divided(plan)
    job = _made(plan, folder, lock, drain=drain)
    job._idle, job._tells = idle, tells
    kept = {one.query: one.operators for one in job._before}
    together = Together(folder, session, groups or SharedGroups())
    launch = Launch(plan, session, folder, drain, kept, together.groups)
    query = plan.queries[0]
    try:
        lock.held_with(jvm_pid(session))
        _make_ready(session, plan, folder, drain=drain)
        with active(session):
            together.expect(plan.queries, known)
            for query in plan.queries:
                together.begin(query, known)
            # None has read or written by then: the mistake is in a script as a whole.
            for query in plan.queries:
                launch.check(query)
            for query in plan.queries:
                job._running.append(launch.start(query))
    except Exception as error:
        from penstock.spark.failure import translate

        raise job.fail(translate(error, query.id, folder.log_file), query.id) from error
    job._write_status()
    return job


def _made(plan: ScriptPlan, folder: JobFolder, lock: JobLock, *, drain: bool) -> Job:
    """The job, of which no query runs yet."""
    resumed = any(folder.has_progress(query.id) for query in plan.queries)
    ends = drain or all(runs_once(query) for query in plan.queries)
    job = Job(plan.name, folder, resumed, ends, _ignored_startup(plan, folder), lock)
    job._before = _before(plan, folder)
    return job


def _make_ready(session: SparkSession, plan: ScriptPlan, folder: JobFolder, *, drain: bool) -> None:
    """What the queries of a plan need of their session."""
    from penstock.spark.delta import require_delta
    from penstock.spark.functions import register_user_functions
    from penstock.spark.kerberos import use_kerberos
    from penstock.spark.session import task_slots

    if needs_delta(plan):
        require_delta(session)
    register_user_functions(session, plan.functions)
    if not drain:
        check_slots(plan.queries, task_slots(session))
    use_kerberos(session, plan.queries)
    go_on_in_zone(plan, folder, session)


def _divided(plan: ScriptPlan) -> tuple[ScriptPlan, tuple[QueryStatus, ...]]:
    """The plan of the queries that run, and those whose table stands by for another."""
    running, standing_by = readers(plan.queries)
    idle = (
        status.idle_status(
            query.id, "waiting", f"`{standing_by[query.id]}` reads for its group", query
        )
        for query in plan.queries
        if query.id in standing_by
    )
    return replace(plan, queries=tuple(running)), tuple(idle)


def _before(plan: ScriptPlan, folder: JobFolder) -> tuple[QueryStatus, ...]:
    """What was said last of the queries that go on."""
    ids = {query.id for query in plan.queries if folder.has_progress(query.id)}
    found = status.read_status(folder.path)
    last = found.queries if found else ()
    return tuple(replace(one, state="stopped") for one in last if one.query in ids)


def _ignored_startup(plan: ScriptPlan, folder: JobFolder) -> tuple[str, ...]:
    continued = [
        scan
        for query in plan.queries
        if not runs_once(query) and folder.has_progress(query.id)
        for scan in scans(query.input)
        if isinstance(scan.spec.source, KafkaSource) and scan.spec.source.startup.by_option
    ]
    return tuple(dict.fromkeys(scan.table for scan in continued))
