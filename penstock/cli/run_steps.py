"""`penstock run` of a script with tables at rest: its steps in order, then its views."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal

from penstock.cli.results import print_results
from penstock.cli.view import JobView, final_line
from penstock.runtime.start_steps import start_steps
from penstock.runtime.steps import How

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    from pyspark.sql import SparkSession

    from penstock.plan.query import ScriptPlan
    from penstock.runtime.job import Job
    from penstock.runtime.state import JobFolder

_REFRESH_S = 0.5
_SELECT = "select#"


def run_steps(
    plan: ScriptPlan,
    session: SparkSession,
    folder: JobFolder,
    *,
    drain: bool,
    views: Literal["own", "all", "none"] = "own",
    stopping: threading.Event,
    watch: Callable[[Job, JobView], None],
    replan: Callable[[], ScriptPlan],
) -> None:
    """Carry out the steps; where views go on, watch them until they are stopped.

    With `views` none they are only defined, for another process to run.
    """

    def wait(job: Job) -> bool:
        while not job.wait(_REFRESH_S):
            if stopping.is_set():
                job.stop()
                return False
        for query in job.progress():
            if not query.query.startswith(_SELECT):
                print(final_line(query), file=sys.stderr, flush=True)
        return True

    job = start_steps(
        plan,
        session,
        folder=folder,
        how=How(drain, wait, lambda result: print_results((result,)), views, stopping.is_set),
        replan=replan,
    )
    if job is None:
        print(f"{plan.name}: stopped", file=sys.stderr)
    elif job.ends:
        job.wait()
    else:
        with JobView(job.name, drain=drain) as view:
            view.started(job)
            watch(job, view)
