"""Scripts with tables at rest: their steps carried out one after the other.

Views are standing queries. With `drain` they are brought up to date before every step that could
tell whether they are; else they start when all steps are done, and run until they are stopped.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from penstock.connectors.merge_rules import merges
from penstock.connectors.result import ResultTarget
from penstock.errors import RunError
from penstock.plan.clickhouse.serve import VIEWS_JOB
from penstock.plan.engine import require_runnable
from penstock.plan.steps import (
    BeginView,
    ChangeColumns,
    CompactTable,
    EmptyTable,
    ForgetView,
    Keep,
    MakeTable,
    RemoveTable,
    RunOnce,
    SetViews,
    Tell,
)
from penstock.plan.walk import scans
from penstock.runtime.job import Job, start_job
from penstock.runtime.preflight import preflight
from penstock.runtime.state import JobFolder

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

    from penstock.catalog.warehouse import Warehouse
    from penstock.plan.nodes import Query, Result, ScriptPlan
    from penstock.plan.steps import Action, Step
    from penstock.runtime.state import JobLock

# What neither reads rows nor takes any away.
_UNSEEN = (MakeTable, BeginView, Tell, Keep)


class _Lent:
    """The lock of the script, lent to one of its jobs: who ends it does not give it back."""

    def __init__(self, lock: JobLock) -> None:
        self._lock = lock

    def held_with(self, pid: int | None) -> None:
        self._lock.held_with(pid)

    def release(self) -> None:
        return


@dataclass(slots=True)
class StepRun:
    """The state of a script between two steps.

    `wait` waits for a job and says whether it ended by itself; `tell` shows an answer.
    """

    plan: ScriptPlan
    session: SparkSession
    folder: JobFolder
    warehouse: Warehouse
    drain: bool
    runs_views: bool
    wait: Callable[[Job], bool]
    tell: Callable[[Result], None]
    _lock: JobLock
    _views: tuple[Query, ...] = ()
    _behind: bool = field(default=False)

    def run(self) -> Job | None:
        """Carry out all steps; the job of the views that go on, None if somebody stopped it."""
        for step in self.plan.steps:
            if not self._carry_out(step):
                return None
        if self.drain and not self._catch_up():
            return None
        return self._standing()

    def _carry_out(self, step: Step) -> bool:
        """One step; False if somebody stopped it.

        1 what views have not seen is brought to them, where it matters; 2 of what goes the
        definition goes first, a crash leaves a folder that nobody knows; 3 the step; 4 its
        definition, a crash before it leaves one that is made anew.
        """
        action = step.action
        if self.drain and not isinstance(action, _UNSEEN) and not self._catch_up():
            return False
        if isinstance(action, RemoveTable | ForgetView):
            self.warehouse.write(step.definitions)
        if isinstance(action, RunOnce):
            return self._run_once(action.query)
        if isinstance(action, Tell):
            self.tell(action.result)
            return True
        if isinstance(action, SetViews):
            self._views, self._behind = (action.views if self.runs_views else ()), True
        elif isinstance(action, ForgetView):
            shutil.rmtree(self._state.query(action.name), ignore_errors=True)
        else:
            self._change(action)
        self.warehouse.write(step.definitions)
        return True

    @property
    def _state(self) -> JobFolder:
        return JobFolder(VIEWS_JOB, self.warehouse.path)

    def _change(self, action: Action) -> None:
        """What is done to a table at rest."""
        from penstock.spark.delta import StoredTable
        from penstock.spark.session import active

        with active(self.session):
            if isinstance(action, BeginView):
                self._begin(action)
            elif not isinstance(action, Keep):
                table = StoredTable(self.session, action.table.path)  # type: ignore[union-attr]
                _CHANGES[type(action)](table, action)

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
        return all(self._finish(views, self._state) for views in stages(self._views))

    def _finish(self, queries: tuple[Query, ...], folder: JobFolder) -> bool:
        return self.wait(self._start(queries, folder, drain=True))

    def _start(self, queries: tuple[Query, ...], folder: JobFolder, *, drain: bool) -> Job:
        require_runnable(queries)
        preflight(queries)
        name = VIEWS_JOB if folder == self._state else self.plan.name
        part = replace(self.plan, name=name, queries=queries, steps=())
        folder.path.mkdir(parents=True, exist_ok=True)
        lock: JobLock = _Lent(self._lock)  # type: ignore[assignment]
        return start_job(part, self.session, folder=folder, lock=lock, drain=drain)

    def _standing(self) -> Job:
        if self.drain or not self._views:
            return Job(self.plan.name, self.folder, False, True, (), self._lock)
        job = self._start(self._views, self._state, drain=False)
        job._lock = self._lock
        return job


def stages(views: tuple[Query, ...]) -> list[tuple[Query, ...]]:
    """Views in the order in which rows go through them; those of a circle together."""
    left, found = list(views), []
    while left:
        written = {query.sink_table for query in left}
        free = [q for q in left if not {s.table for s in scans(q.input)} & written]
        found.append(tuple(free or left))
        left = [query for query in left if free and query not in free]
    return found


def _change_columns(table: object, action: ChangeColumns) -> None:
    from penstock.spark.delta import StoredTable

    assert isinstance(table, StoredTable)  # noqa: S101 — for type checkers
    if action.rewritten:
        table.rewrite(action.rewritten)
        return
    for old, new in action.renamed:
        table.rename_column(old, new)
    if action.dropped:
        table.drop_columns(action.dropped)
    if action.added:
        table.add_columns(action.added)


_CHANGES = {
    MakeTable: lambda table, action: table.create(
        action.table.schema, numbered=merges(action.table.engine)
    ),
    RemoveTable: lambda table, action: table.remove(),
    EmptyTable: lambda table, action: table.empty(),
    CompactTable: lambda table, action: (
        table.merge(action.merge) if action.merge else table.compact()
    ),
    ChangeColumns: _change_columns,
}


def start_steps(
    plan: ScriptPlan,
    session: SparkSession,
    *,
    folder: JobFolder,
    drain: bool,
    wait: Callable[[Job], bool],
    tell: Callable[[Result], None],
    runs_views: bool = True,
) -> Job | None:
    """Carry out a script with tables at rest; the job that goes on, None if somebody stopped it."""
    from penstock.spark.delta import require_delta

    assert plan.warehouse  # noqa: S101 — steps come with it
    require_delta(session)
    # Who only reads and inserts may do so beside whoever runs the views.
    shared = all(isinstance(step.action, RunOnce | Tell) for step in plan.steps)
    lock = (folder if shared else JobFolder(VIEWS_JOB, plan.warehouse.path)).lock()
    run = StepRun(plan, session, folder, plan.warehouse, drain, runs_views, wait, tell, lock)
    try:
        if not shared and plan.warehouse.read() != plan.loaded:
            raise RunError("WAREHOUSE_CHANGED", warehouse=plan.warehouse.path)
        job = run.run()
    except BaseException:
        lock.release()
        raise
    if job is None:
        lock.release()
    return job
