"""Views that have not read what was inserted into their tables yet: called by `steps`.

ClickHouse hands rows to views with the INSERT. Here views read them when they run: so they are
given the time to after an INSERT, and before they or their tables become others.
"""

from __future__ import annotations

import logging
import time
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.errors import PenstockError
from penstock.plan.clickhouse.inserts import inserted_tables, views_behind
from penstock.plan.clickhouse.serve import views_of
from penstock.plan.engine import require_runnable
from penstock.runtime.anew import begin_anew_if_other
from penstock.runtime.failed_block import told
from penstock.runtime.preflight import preflight
from penstock.runtime.signals import ChangeLock, Signals
from penstock.runtime.versions import is_read, unread
from penstock.spark.zone import use_zone, zone_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pyspark.sql import SparkSession

    from penstock.plan.query import Query, ScriptPlan
    from penstock.runtime.state import JobFolder

# So long an INSERT waits for views that are served, all together.
_SERVED_WITHIN_S = 30.0
_POLL_S = 0.1

_log = logging.getLogger("penstock.job")


@dataclass(slots=True)
class Inserted:
    """The views of a warehouse, each after those whose rows it reads.

    `finish` runs one until it has read what is there, and says whether it ended by itself;
    `stopping` says whether somebody stops all of it.
    """

    folder: JobFolder
    session: SparkSession
    finish: Callable[[Query], bool]
    stopping: Callable[[], bool]
    _refused: bool = False

    def read(self, views: Iterable[Query]) -> bool:
        """Let views that nobody runs read what is there; False if somebody stopped it.

        One that fails keeps nobody from going on: it is told.
        """
        return all(self._read(query) for query in views if self._is_behind(query))

    def hand_on(self, table: str, plan: ScriptPlan, *, changes: bool) -> bool:
        """After an INSERT: views read it that nobody runs, and those that are served are awaited.

        1 nobody changes definitions meanwhile; 2 views that are not served stand still; 3 each
        reads; 4 they may run; 5 definitions may be changed; 6 the others have read. Whoever cannot
        have it so leaves the rows to who runs them next. False if somebody stopped it.
        `changes`: it is this process that changes definitions.
        """
        refused = self._refused
        try:
            if not _views_behind(table, plan):
                return True
            with nullcontext() if changes else self._turn():
                views = _views_behind(table, plan)
                idle = [query for query in views if not self._is_served(query)]
                if idle and not self._read_alone(idle):
                    return False
            return self._await([query for query in views if query not in idle])
        except PenstockError as error:
            if self.stopping():
                return False
            if not (refused and self._refused):
                _log.warning("Views read what was inserted when they run next: %s", error)
        return True

    def _turn(self) -> ChangeLock:
        """After a refusal it is not waited for again."""
        within_s, self._refused = 0.0 if self._refused else None, True
        lock = ChangeLock(self.folder.path, within_s=within_s, stopping=self.stopping)
        self._refused = False
        return lock

    def _read_alone(self, views: list[Query]) -> bool:
        """Views read that nobody else runs meanwhile."""
        from penstock.spark.session import jvm_pid

        names = [query.id for query in views]
        signals = Signals(self.folder.path)
        signals.hold(names, jvm_pid(self.session))
        try:
            signals.await_stopped(names)
            return self.read(views)
        finally:
            signals.release()

    def _is_served(self, query: Query) -> bool:
        served = Signals(self.folder.path).served()
        return served is not None and query.id in served.views

    def _await(self, views: list[Query]) -> bool:
        """Views that another process runs have read what is there, or take their time."""
        until = time.monotonic() + _SERVED_WITHIN_S
        for query in views:
            folder = self.folder.query(query.id)
            wanted = unread(self.session, folder, inserted_tables(query))
            while not is_read(folder, wanted) and self._is_served(query):
                if self.stopping():
                    return False
                if time.monotonic() > until:
                    late = "%s: it has not read all that was inserted after %.0f s, and goes on."
                    _log.warning(late, query.id, _SERVED_WITHIN_S)
                    return True
                time.sleep(_POLL_S)
        return True

    def _read(self, query: Query) -> bool:
        zone = zone_of(self.session)
        try:
            require_runnable((query,))
            preflight((query,))
            begin_anew_if_other(self.folder, query, self.session)
            return self.finish(query)
        except Exception as error:
            known = told(error, query.id, self.folder)
            _log.warning("%s: it has not read all that was inserted: %s", query.id, known)
            return True
        finally:
            use_zone(self.session, zone)

    def _is_behind(self, query: Query) -> bool:
        folder = self.folder.query(query.id)
        return bool(unread(self.session, folder, inserted_tables(query)))


def _views_behind(table: str, plan: ScriptPlan) -> tuple[Query, ...]:
    assert plan.warehouse  # noqa: S101 — it has the table
    assert plan.overrides  # noqa: S101 — a plan with a warehouse has them
    return views_behind(table, views_of(plan.warehouse, plan.overrides, plan.settings).queries)
