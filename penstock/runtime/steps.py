"""Scripts with tables at rest: their steps carried out one after the other.

Views are standing queries. With `drain` they are brought up to date before every step that could
tell whether they are; else they start when all steps are done, and run until they are stopped.
Where another process runs them, it is asked to let go of those that a step changes.
"""

from __future__ import annotations

import logging
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
    CopyView,
    ForgetView,
    HoldViews,
    Keep,
    MakeTable,
    ReleaseViews,
    RunOnce,
    SetViews,
    StopViews,
    Tell,
)
from penstock.runtime.anew import copy_view, forget_view, settle
from penstock.runtime.begin_view import begin_view
from penstock.runtime.drain_views import drain_views
from penstock.runtime.follow_views import follow_views
from penstock.runtime.job import Job
from penstock.runtime.preflight import preflight
from penstock.runtime.signals import ChangeLock, Signals
from penstock.runtime.start import start_job
from penstock.runtime.state import JobFolder, LentLock
from penstock.runtime.table_changes import change_table
from penstock.runtime.table_lock import undisturbed
from penstock.runtime.together import Together

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

    from penstock.catalog.warehouse import Warehouse
    from penstock.plan.query import Query, Result, ScriptPlan
    from penstock.plan.steps import Action, Step
    from penstock.runtime.commits import SharedGroups
    from penstock.runtime.state import JobLock

# What neither reads rows nor takes any away.
_UNSEEN = (MakeTable, BeginView, Command, HoldViews, ReleaseViews, Tell, Keep)

_log = logging.getLogger("penstock.job")


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
    """The state of a script between two steps; `lock` is lent to the jobs it starts.

    `replan` is there where others may change definitions between the steps.
    """

    plan: ScriptPlan
    session: SparkSession
    folder: JobFolder
    warehouse: Warehouse
    how: How
    lock: JobLock
    replan: Callable[[], ScriptPlan] | None
    _views: tuple[Query, ...] = ()
    _behind: bool = field(default=False)

    def run(self) -> bool:
        """Carry out all steps; False if somebody stopped it."""
        for number in range(len(self.plan.steps)):
            self._follow(done=number)
            with undisturbed(self.plan.steps[number].action):
                # It may have waited.
                self._follow(done=number)
                if not self._carry_out(self.plan.steps[number]):
                    return False
        return not self.how.drain or self._catch_up()

    def _follow(self, *, done: int) -> None:
        """What is left is planned anew if its tables may be others by now."""
        if self.replan is None or self.warehouse.read() == self.plan.loaded:
            return
        plan = self.replan()
        if _kinds(plan) != _kinds(self.plan):
            raise RunError("WAREHOUSE_CHANGED", warehouse=self.warehouse.path, done=done)
        self.plan = plan

    def _carry_out(self, step: Step) -> bool:
        """One step; False if somebody stopped it.

        What views have not seen is brought to them before it, where it matters.
        """
        action = step.action
        if self.how.drain and not isinstance(action, _UNSEEN) and not self._catch_up():
            return False
        if isinstance(action, RunOnce):
            return self._run_once(action.query)
        if isinstance(action, Command):
            return self._command(action)
        if isinstance(action, Keep):
            self.warehouse.write(step.definitions)
        elif isinstance(action, Tell):
            self.how.tell(action.result)
        elif isinstance(action, StopViews | HoldViews):
            self._stop(action)
        elif isinstance(action, SetViews):
            self._views, self._behind = (() if self._is_for_others else action.views), True
        elif isinstance(action, ForgetView):
            forget_view(self._state.query(action.name), renamed=action.renamed)
        elif isinstance(action, CopyView):
            copy_view(self._state.query(action.old), self._state.query(action.new))
        elif isinstance(action, ReleaseViews):
            self._signals.release()
        else:
            self._change(action)
        return True

    @property
    def _is_for_others(self) -> bool:
        return self.how.views == "none"

    @property
    def _signals(self) -> Signals:
        return Signals(self.warehouse.path)

    def _stop(self, action: StopViews | HoldViews) -> None:
        """Nobody runs these views from here on; of those that change, groups know what was read."""
        names = [query.id for query in action.views]
        if self._is_for_others:
            self._signals.hold(names)
            self._signals.await_stopped(names)
        if isinstance(action, StopViews):
            reading, _ = readers(action.known)
            for query in action.views:
                settle(self._state, query, reading, self.session)

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
        return action.verb != "REFRESH" or self._read(action.views)

    @property
    def _state(self) -> JobFolder:
        return JobFolder(VIEWS_JOB, self.warehouse.path)

    def _change(self, action: Action) -> None:
        """What is done to a table at rest."""
        from penstock.spark.session import active

        with active(self.session):
            if isinstance(action, BeginView):
                begin_view(self.session, self._state.query(action.name), action)
            else:
                change_table(self.session, action)

    def _run_once(self, query: Query) -> bool:
        require_runnable((query,))
        preflight((query,))
        ended = self._finish((query,), self.folder)
        self._behind |= not isinstance(query.spec.target, ResultTarget)
        return ended

    def _catch_up(self) -> bool:
        if not self._behind:
            return True
        self._behind = False
        return self._read(self._views)

    def _read(self, views: tuple[Query, ...]) -> bool:
        return drain_views(
            views,
            (*self._views, *views),
            together=Together(self._state, self.session),
            finish=lambda some, groups: self._finish(some, self._state, groups),
        )

    def _finish(
        self, queries: tuple[Query, ...], folder: JobFolder, groups: SharedGroups | None = None
    ) -> bool:
        name = VIEWS_JOB if folder == self._state else self.plan.name
        part = replace(self.plan, name=name, queries=queries, steps=())
        folder.path.mkdir(parents=True, exist_ok=True)
        lock = LentLock(self.lock)
        job = start_job(part, self.session, folder=folder, lock=lock, drain=True, groups=groups)
        return self.how.wait(job)

    def standing(self) -> Job:
        """The job of the views that go on, or of nothing."""
        if self.how.drain or not (self._views or self.how.views == "all"):
            return Job(self.plan.name, self.folder, False, True, (), self.lock)
        names = None if self.how.views == "all" else frozenset(q.id for q in self._views)
        return follow_views(
            self.plan, self.session, lock=self.lock, folder=self._state, names=names
        )


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
            if how.views == "none":
                Signals(warehouse.path).release()
            changing.release()
    if job is None:
        lock.release()
    return job


def _current(plan: ScriptPlan, replan: Callable[[], ScriptPlan]) -> ScriptPlan:
    """The plan, made anew if definitions were changed since."""
    return plan if plan.warehouse and plan.warehouse.read() == plan.loaded else replan()


def _kinds(plan: ScriptPlan) -> list[type]:
    return [type(step.action) for step in plan.steps]


def _views_lock(warehouse: Warehouse) -> JobLock:
    try:
        return JobFolder(VIEWS_JOB, warehouse.path).lock()
    except RunError as error:
        if error.code != "JOB_ALREADY_RUNNING":
            raise
        pid = error.facts["pid"]
        raise RunError("VIEWS_ARE_SERVED", warehouse=warehouse.path, pid=pid) from error
