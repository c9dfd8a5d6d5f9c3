"""Scripts with tables at rest: their steps carried out one after the other.

Views are standing queries. With `drain` they are brought up to date before every step that could
tell whether they are; else they start when all steps are done, and run until they are stopped.
Where another process runs them, it is asked to let go of those that a step changes.
"""

from __future__ import annotations

import logging
import shutil
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from penstock.connectors.result import ResultTarget
from penstock.errors import RunError
from penstock.plan.clickhouse.members import readers
from penstock.plan.clickhouse.serve import VIEWS_JOB
from penstock.plan.engine import require_runnable
from penstock.plan.steps import (
    BeginView,
    Command,
    ForgetView,
    Keep,
    MakeTable,
    ReleaseViews,
    RemoveTable,
    RunOnce,
    SetViews,
    StopViews,
    Tell,
)
from penstock.plan.walk import scans
from penstock.runtime.anew import begin_anew_if_other, forget_view, settle
from penstock.runtime.follow import follow_views
from penstock.runtime.job import Job
from penstock.runtime.members import take_over
from penstock.runtime.preflight import preflight
from penstock.runtime.signals import ChangeLock, Signals
from penstock.runtime.start import start_job
from penstock.runtime.state import JobFolder
from penstock.runtime.table_changes import change_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

    from penstock.catalog.warehouse import Warehouse
    from penstock.plan.query import Query, Result, ScriptPlan
    from penstock.plan.steps import Action, Step
    from penstock.runtime.state import JobLock

# What neither reads rows nor takes any away.
_UNSEEN = (MakeTable, BeginView, Command, ReleaseViews, Tell, Keep)

_log = logging.getLogger("penstock.job")


class _Lent:
    """The lock of the script, lent to one of its jobs: who ends it does not give it back."""

    def __init__(self, lock: JobLock) -> None:
        self._lock = lock

    def held_with(self, pid: int | None) -> None:
        self._lock.held_with(pid)

    def release(self) -> None:
        return


@dataclass(frozen=True, slots=True)
class How:
    """How steps are carried out.

    `wait` waits for a job and says whether it ended by itself; `tell` shows an answer. `views` are
    those that are run: the script's `own`, `all` of the warehouse, or `none`.
    """

    drain: bool
    wait: Callable[[Job], bool]
    tell: Callable[[Result], None]
    views: Literal["own", "all", "none"] = "own"


@dataclass(slots=True)
class StepRun:
    """The state of a script between two steps; `lock` is lent to the jobs it starts."""

    plan: ScriptPlan
    session: SparkSession
    folder: JobFolder
    warehouse: Warehouse
    how: How
    lock: JobLock
    _views: tuple[Query, ...] = ()
    _behind: bool = field(default=False)

    def run(self) -> bool:
        """Carry out all steps; False if somebody stopped it."""
        return all(map(self._carry_out, self.plan.steps)) and (
            not self.how.drain or self._catch_up()
        )

    def _carry_out(self, step: Step) -> bool:
        """One step; False if somebody stopped it.

        1 what views have not seen is brought to them, where it matters; 2 of what goes the
        definition goes first, a crash leaves a folder that nobody knows; 3 the step; 4 its
        definition, a crash before it leaves one that is made anew.
        """
        action = step.action
        if self.how.drain and not isinstance(action, _UNSEEN) and not self._catch_up():
            return False
        if isinstance(action, RemoveTable | ForgetView):
            self.warehouse.write(step.definitions)
        if isinstance(action, RunOnce):
            return self._run_once(action.query)
        if isinstance(action, Command):
            return self._command(action)
        if isinstance(action, Tell):
            self.how.tell(action.result)
            return True
        if isinstance(action, StopViews):
            # Definitions are not written yet: they would say what is not done.
            self._stop(action)
            return True
        if isinstance(action, SetViews):
            self._views, self._behind = (() if self._is_for_others else action.views), True
        elif isinstance(action, ForgetView):
            forget_view(self._state.query(action.name))
        elif isinstance(action, ReleaseViews):
            self._signals.release()
        else:
            self._change(action)
        self.warehouse.write(step.definitions)
        return True

    @property
    def _is_for_others(self) -> bool:
        return self.how.views == "none"

    @property
    def _signals(self) -> Signals:
        return Signals(self.warehouse.path)

    def _stop(self, action: StopViews) -> None:
        """Nobody runs these views from here on, and their groups know what they have read."""
        names = [query.id for query in action.views]
        if self._is_for_others:
            self._signals.hold(names)
            self._signals.await_stopped(names)
        for query in action.views:
            settle(self._state, query, self.session)

    def _command(self, action: Command) -> bool:
        """SYSTEM: for the process that runs views, which may be this one."""
        if self._is_for_others:
            if not self._signals.command(action.verb, action.tables):
                _log.warning("SYSTEM %s: no process runs views of this warehouse.", action.verb)
            return True
        if action.verb == "STOP":
            self._views = tuple(view for view in self._views if view not in action.views)
        if action.verb == "PAUSE" and self.how.drain:
            return self._catch_up()
        if action.verb == "REFRESH" and action.views:
            return self._finish(action.views, self._state)
        return True

    @property
    def _state(self) -> JobFolder:
        return JobFolder(VIEWS_JOB, self.warehouse.path)

    def _change(self, action: Action) -> None:
        """What is done to a table at rest."""
        from penstock.spark.session import active

        with active(self.session):
            if isinstance(action, BeginView):
                self._begin(action)
            elif not isinstance(action, Keep):
                change_table(self.session, action)

    def _begin(self, action: BeginView) -> None:
        from penstock.spark.delta import StoredTable
        from penstock.spark.sources.delta import begun, note_begun

        folder = self._state.query(action.name)
        before, paths = begun(folder), {table.path for table in action.tables}
        if before.keys() - paths:
            # A table was dropped: what was read of it says nothing of the new one.
            shutil.rmtree(folder, ignore_errors=True)
            before = {}
        for path in sorted(paths - before.keys()):
            before[path] = StoredTable(self.session, path).mark(action.name)
        note_begun(folder, before)

    def _run_once(self, query: Query) -> bool:
        ended = self._finish((query,), self.folder)
        self._behind |= not isinstance(query.spec.target, ResultTarget)
        return ended

    def _catch_up(self) -> bool:
        """Let views read what is there, those first whose rows others read."""
        if not self._behind:
            return True
        self._behind = False
        views, _ = readers(self._views)
        for query in views:
            take_over(self._state, query, self._views, self.session)
        return all(self._finish(some, self._state) for some in stages(tuple(views)))

    def _finish(self, queries: tuple[Query, ...], folder: JobFolder) -> bool:
        require_runnable(queries)
        preflight(queries)
        name = VIEWS_JOB if folder == self._state else self.plan.name
        part = replace(self.plan, name=name, queries=queries, steps=())
        folder.path.mkdir(parents=True, exist_ok=True)
        for query in queries if name == VIEWS_JOB else ():
            begin_anew_if_other(folder, query)
        lock: JobLock = _Lent(self.lock)  # type: ignore[assignment]
        return self.how.wait(start_job(part, self.session, folder=folder, lock=lock, drain=True))

    def standing(self) -> Job:
        """The job of the views that go on, or of nothing."""
        if self.how.drain or not (self._views or self.how.views == "all"):
            return Job(self.plan.name, self.folder, False, True, (), self.lock)
        names = None if self.how.views == "all" else frozenset(q.id for q in self._views)
        return follow_views(
            self.plan, self.session, lock=self.lock, folder=self._state, names=names
        )


def stages(views: tuple[Query, ...]) -> list[tuple[Query, ...]]:
    """Views in the order in which rows go through them; those of a circle together."""
    left, found = list(views), []
    while left:
        written = {query.sink_table for query in left}
        free = [q for q in left if not {s.table for s in scans(q.input)} & written]
        found.append(tuple(free or left))
        left = [query for query in left if free and query not in free]
    return found


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
    anew if they were changed meanwhile; 4 the steps; 5 others may change them again, 6 while the
    views run and follow. A crash after any of these leaves no lock and no hold behind.
    """
    from penstock.spark.delta import require_delta

    assert plan.warehouse  # noqa: S101 — steps come with it
    require_delta(session)
    warehouse = plan.warehouse
    # Who only reads and inserts may do so beside whoever runs the views.
    changes = not all(isinstance(step.action, RunOnce | Tell) for step in plan.steps)
    changes |= how.views == "all"
    lock = _views_lock(warehouse) if changes and how.views != "none" else folder.lock()
    changing = None
    try:
        changing = ChangeLock(warehouse.path) if changes else None
        if changing and warehouse.read() != plan.loaded:
            plan = replan()
        run = StepRun(plan, session, folder, warehouse, how, lock)
        ended = run.run()
        if changing:
            changing.release()
        job = run.standing() if ended else None
    except BaseException:
        lock.release()
        raise
    finally:
        if changing:
            if how.views == "none":
                Signals(warehouse.path).release()
            changing.release()
    if job is None:
        lock.release()
    return job


def _views_lock(warehouse: Warehouse) -> JobLock:
    try:
        return JobFolder(VIEWS_JOB, warehouse.path).lock()
    except RunError as error:
        if error.code != "JOB_ALREADY_RUNNING":
            raise
        pid = error.facts["pid"]
        raise RunError("VIEWS_ARE_SERVED", warehouse=warehouse.path, pid=pid) from error
