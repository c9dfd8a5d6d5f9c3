"""Scripts with tables at rest: their steps carried out one after the other.

Views are standing queries. With `drain` they are brought up to date before every step that could
tell whether they are; else they start when all steps are done, and run until they are stopped.
Where another process runs them, it is asked to let go of those that a step changes.
"""

from __future__ import annotations

import logging
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from penstock.connectors.merge_tree import MergeTreeTable
from penstock.connectors.result import ResultTarget
from penstock.errors import RunError
from penstock.plan.clickhouse.inserts import views_behind
from penstock.plan.clickhouse.members import readers
from penstock.plan.clickhouse.serve import VIEWS_JOB
from penstock.plan.engine import require_runnable
from penstock.plan.steps import (
    BeginView,
    CloseTables,
    Command,
    CopyView,
    ForgetView,
    HoldViews,
    Keep,
    MakeTable,
    MoveTables,
    ReleaseViews,
    RemoveOldFiles,
    RunOnce,
    SetViews,
    StopViews,
    Tell,
)
from penstock.plan.walk import scans
from penstock.runtime.anew import copy_view, forget_view, settle
from penstock.runtime.begin_view import begin_view
from penstock.runtime.drain_views import drain_views
from penstock.runtime.follow_views import follow_views
from penstock.runtime.inserted import Inserted
from penstock.runtime.job import Job
from penstock.runtime.old_files import remove_old_files
from penstock.runtime.preflight import preflight
from penstock.runtime.signals import Signals
from penstock.runtime.start import start_job
from penstock.runtime.state import JobFolder, LentLock
from penstock.runtime.table_changes import change_table
from penstock.runtime.table_lock import alone, undisturbed
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
_UNSEEN = (
    *(MakeTable, MoveTables, RemoveOldFiles, BeginView, ForgetView, SetViews, Command),
    *(CloseTables, HoldViews, ReleaseViews, Tell, Keep),
)

_log = logging.getLogger("penstock.job")


@dataclass(frozen=True, slots=True)
class How:
    """How steps are carried out.

    `wait` waits for a job and says whether it ended by itself; `tell` shows an answer. `views` are
    those that are run: the script's `own`, `all` of the warehouse, or `none`. `stopping` says
    whether somebody stops it.
    """

    drain: bool
    wait: Callable[[Job], bool]
    tell: Callable[[Result], None]
    views: Literal["own", "all", "none"] = "own"
    stopping: Callable[[], bool] = lambda: False


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
    _inserted: Inserted = field(init=False)
    _closed: ExitStack = field(default_factory=ExitStack)

    def __post_init__(self) -> None:
        def finish(query: Query) -> bool:
            return self._finish((query,), self._state, tells=False)

        self._inserted = Inserted(self._state, self.session, finish, self.how.stopping)

    def run(self) -> bool:
        """Carry out all steps; False if somebody stopped it."""
        with self._closed:
            return self._run()

    def _run(self) -> bool:
        for number in range(len(self.plan.steps)):
            self._follow(done=number)
            with undisturbed(self.plan.steps[number].action):
                # It may have waited.
                self._follow(done=number)
                if not self._carry_out(self.plan.steps[number]):
                    return False
            if not self._hand_on(self.plan.steps[number].action):
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
        if self.how.drain and _could_tell(action) and not self._catch_up():
            return False
        if isinstance(action, RunOnce):
            return self._run_once(action)
        if isinstance(action, Command):
            return self._command(action)
        if isinstance(action, StopViews | HoldViews):
            return self._stop(action)
        if isinstance(action, Keep):
            self.warehouse.write(step.definitions)
            self._closed.close()
        elif isinstance(action, CloseTables):
            for folder in action.folders:
                self._closed.enter_context(alone(folder))
        elif isinstance(action, Tell):
            self.how.tell(action.result)
        elif isinstance(action, SetViews):
            self._views, self._behind = (() if self._is_for_others else action.views), True
        elif isinstance(action, ForgetView):
            forget_view(self._state, action.name, renamed=action.renamed)
        elif isinstance(action, CopyView):
            copy_view(self._state.query(action.old), self._state.query(action.new))
        elif isinstance(action, ReleaseViews):
            self._signals.release()
        elif isinstance(action, MoveTables):
            self._signals.move(dict(action.names))
        else:
            self._change(action)
        return True

    @property
    def _is_for_others(self) -> bool:
        return self.how.views == "none"

    @property
    def _signals(self) -> Signals:
        return Signals(self.warehouse.path)

    def _stop(self, action: StopViews | HoldViews) -> bool:
        """Nobody runs these views from here on; of those that change, groups know what was read."""
        from penstock.spark.session import jvm_pid

        names = [query.id for query in (*action.views, *action.inserted)]
        names += action.unplanned
        if self._is_for_others:
            self._signals.hold(names, jvm_pid(self.session))
            self._signals.await_stopped(names)
        if not self._inserted.read(action.inserted):
            return False
        if isinstance(action, StopViews):
            reading, _ = readers(action.known)
            for query in action.views:
                settle(self._state, query, reading, self.session)
        return True

    def _hand_on(self, action: Action) -> bool:
        """What an INSERT has written is read by the views of its table, unless they run on here."""
        target = action.query.spec.target if isinstance(action, RunOnce) else None
        if not isinstance(target, MergeTreeTable) or getattr(action, "unseen", False):
            return True
        if self._is_for_others:
            return self._inserted.hand_on(target.path, self.plan, changes=self.replan is None)
        return not self.how.drain or self._inserted.read(views_behind(target.path, self._views))

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
        """What is done to a table at rest; what Spark says against it is told as of a query."""
        from penstock.spark.failure import translated
        from penstock.spark.session import active

        name = action.name if isinstance(action, BeginView) else action.table.name  # type: ignore[union-attr]
        with translated(name, self._state.log_file), active(self.session):
            if isinstance(action, BeginView):
                begin_view(self.session, self._state.query(action.name), action)
            elif isinstance(action, RemoveOldFiles):
                remove_old_files(self.session, self._state, action)
            else:
                change_table(self.session, action)

    def _run_once(self, action: RunOnce) -> bool:
        query = action.query
        require_runnable((query,))
        preflight((query,))
        ended = self._finish((query,), self.folder)
        self._behind |= not (action.unseen or isinstance(query.spec.target, ResultTarget))
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
        self,
        queries: tuple[Query, ...],
        folder: JobFolder,
        groups: SharedGroups | None = None,
        *,
        tells: bool = True,
    ) -> bool:
        name = VIEWS_JOB if folder == self._state else self.plan.name
        part = replace(self.plan, name=name, queries=queries, steps=())
        folder.path.mkdir(parents=True, exist_ok=True)
        lock = LentLock(self.lock)
        job = start_job(
            part, self.session, folder=folder, lock=lock, drain=True, groups=groups, tells=tells
        )
        return self.how.wait(job)

    def standing(self) -> Job:
        """The job of the views that go on, or of nothing."""
        if self.how.drain or not (self._views or self.how.views == "all"):
            return Job(self.plan.name, self.folder, False, True, (), self.lock)
        names = None if self.how.views == "all" else frozenset(q.id for q in self._views)
        return follow_views(
            self.plan, self.session, lock=self.lock, folder=self._state, names=names
        )


def _could_tell(action: Action) -> bool:
    """Whether it sees what views have read. A new view gets all messages that the others get."""
    reads = not isinstance(action, RunOnce) or bool(scans(action.query.input))
    return reads and not isinstance(action, _UNSEEN)


def _kinds(plan: ScriptPlan) -> list[type]:
    return [type(step.action) for step in plan.steps]
