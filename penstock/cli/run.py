"""`penstock run`: check first, then bring up Spark and the broker together, then watch the job."""

from __future__ import annotations

import os
import signal
import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from penstock.cli.bootstrap import expect_one_of_both
from penstock.cli.fetch import fetch_jars
from penstock.cli.results import print_results
from penstock.cli.run_steps import run_steps
from penstock.cli.source import (
    Arguments,
    located_errors,
    plan_statements,
    print_notes,
    statements_of,
)
from penstock.cli.view import JobView
from penstock.errors import PlanError
from penstock.plan.engine import require_runnable
from penstock.plan.query import Execution
from penstock.plan.walk import needs_delta
from penstock.runtime.preflight import preflight
from penstock.runtime.real_time import master_with_slots
from penstock.runtime.start import start_job
from penstock.runtime.state import JobFolder, default_state_dir
from penstock.spark.session import BackgroundSession

if TYPE_CHECKING:
    from types import FrameType

    from penstock.plan.query import ScriptPlan
    from penstock.runtime.job import Job
    from penstock.runtime.state import JobLock


_REFRESH_S = 0.5


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How to run, as far as it is not about the script."""

    embedded: bool
    drain: bool
    master: str


def run_script(arguments: Arguments, options: RunOptions) -> int:
    """Run a script to its end or until it is stopped; returns the exit code."""
    with located_errors(arguments):
        stopping = catch_signals()
        if options.embedded:
            arguments = _for_embedded(arguments)
        statements = statements_of(arguments)
        plan = plan_statements(statements, arguments)
        require_runnable(plan.queries)
        print_notes(plan)
        if not plan.steps:
            print_results(plan.results)
            if not plan.queries and plan.results:
                return 0
            if not plan.queries:
                raise PlanError("NOTHING_TO_RUN", count=len(plan.tables))
        folder = JobFolder.of_plan(plan, default_state_dir(arguments.script))
        # A script with tables at rest takes the lock of its warehouse.
        lock = None if plan.steps else folder.lock()
        fetch_jars("spark", *_further_jars(plan, options))
        session = None if _needs_slots(plan, options) else _session(plan, options, folder)
        if options.embedded:
            from penstock.kafka.broker import start

            arguments = arguments.with_bootstrap(start(owner_pid=os.getpid()).address)
            plan = plan_statements(statements, arguments)
        if lock is None:
            session = session or _session(plan, options, folder)
            run_steps(
                plan,
                session.get(),
                folder,
                drain=options.drain,
                stopping=stopping,
                watch=lambda job, view: watch(job, view, stopping),
                replan=lambda: plan_statements(statements, arguments),
            )
        else:
            preflight(plan.queries)
            session = session or _session(plan, options, folder)
            _run_job(plan, session, options, folder, lock, stopping)
    return end_at_once()


def end_at_once() -> NoReturn:
    """End the process: Spark's own shutdown takes seconds and has nothing left to save."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _run_job(
    plan: ScriptPlan,
    session: BackgroundSession,
    options: RunOptions,
    folder: JobFolder,
    lock: JobLock,
    stopping: threading.Event,
) -> None:
    prints = any(query.spec.target.prints for query in plan.queries)
    with JobView(plan.name, drain=options.drain, prints=prints) as view:
        spark = session.get()
        if stopping.is_set():
            view.stopped_early()
        else:
            job = start_job(plan, spark, folder=folder, lock=lock, drain=options.drain)
            view.started(job)
            watch(job, view, stopping)


def _further_jars(plan: ScriptPlan, options: RunOptions) -> list[str]:
    wanted = {"delta": needs_delta(plan), "broker": options.embedded}
    return [configuration for configuration, needed in wanted.items() if needed]


def _needs_slots(plan: ScriptPlan, options: RunOptions) -> bool:
    """Whether the size of Spark depends on the topics, which must be looked at first then."""
    real_time = any(query.execution is Execution.REAL_TIME for query in plan.queries)
    return real_time and not options.drain


def _session(plan: ScriptPlan, options: RunOptions, folder: JobFolder) -> BackgroundSession:
    master = options.master
    if _needs_slots(plan, options):
        master = master_with_slots(master, plan.queries)
    return BackgroundSession(
        dict(plan.settings),
        master=master,
        app_name=plan.name,
        log_file=folder.log_file,
        delta=needs_delta(plan),
    )


def _for_embedded(arguments: Arguments) -> Arguments:
    """The script as it will be planned before the embedded broker's address is known."""
    expect_one_of_both(arguments.bootstrap, embedded=True)
    return arguments.with_bootstrap("embedded:9092")


def watch(job: Job, view: JobView, stopping: threading.Event) -> None:
    """Show a job until it has ended or is stopped."""
    while not job.wait(_REFRESH_S):
        view.show(job.progress())
        if stopping.is_set():
            view.stopping()
            job.stop()
            break
    view.finished(job.progress())


def catch_signals() -> threading.Event:
    """SIGTERM and Ctrl-C ask for a clean stop; a second one ends at once."""
    stopping = threading.Event()

    def handle(number: int, frame: FrameType | None) -> None:
        if stopping.is_set():
            os._exit(128 + number)
        stopping.set()

    signal.signal(signal.SIGTERM, handle)
    signal.signal(signal.SIGINT, handle)
    return stopping
