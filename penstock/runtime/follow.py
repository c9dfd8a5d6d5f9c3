"""The views of a warehouse, run as they are defined: those that come start, those that go stop.

A `Follower` belongs to a job, which lets it look around some times a second. Another process may
change definitions meanwhile; how both keep out of each other's way is told in `signals`.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from penstock.errors import PenstockError
from penstock.plan.clickhouse.members import readers
from penstock.plan.clickhouse.serve import Views, views_of
from penstock.plan.engine import require_runnable
from penstock.plan.walk import scans
from penstock.runtime.anew import begin_anew_if_other
from penstock.runtime.failing import Failing
from penstock.runtime.preflight import obstacles
from penstock.runtime.status import idle_status
from penstock.runtime.together import Together

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.catalog.warehouse import Warehouse
    from penstock.plan.query import Query
    from penstock.runtime.job import Job
    from penstock.runtime.launch import Launch
    from penstock.runtime.running import Running
    from penstock.runtime.signals import Commands, Signals
    from penstock.runtime.status import QueryStatus

_EVERY_S = 0.2
_STOP_GRACE_S = 20.0
# What is read at once by REFRESH, and by PAUSE before it stops.
_CYCLE_S = 60.0

_log = logging.getLogger("penstock.job")


@dataclass(slots=True)
class Follower:
    """Keeps the queries of a job in line with the views of a warehouse.

    `names` are those that it runs, None for all. Where it `retries`, a view that fails does not
    end the job.
    """

    job: Job
    launch: Launch
    warehouse: Warehouse
    signals: Signals
    names: frozenset[str] | None
    retries: bool
    _views: Views = field(default_factory=lambda: Views((), ()))
    _seen: str = ""
    _next: float = 0.0
    _done: int = 0
    _halted: frozenset[str] = frozenset()
    _failing: dict[str, Failing] = field(default_factory=dict)
    _told: tuple[frozenset[str], int] | None = None
    # Views whose table stands by, and the one that reads for their group.
    _behind: dict[str, str] = field(default_factory=dict)

    def look(self) -> None:
        """Do what is due."""
        if time.monotonic() < self._next:
            return
        self._take_out_failed()
        self._plan()
        commands = self.signals.commands()
        self._carry_out(commands)
        held, wanted = self.signals.held(), self._wanted(commands)
        # One grace for all of them: whoever waits for this does not wait for each in turn.
        until = time.monotonic() + _STOP_GRACE_S
        for query in list(self._running):
            if query.id in held or wanted.get(query.id) != query:
                self._stop(query.id, grace_s=until - time.monotonic())
        self._start([q for q in wanted.values() if q.id not in held and self._is_due(q)])
        self._done = commands.number
        self._tell()
        self._next = time.monotonic() + _EVERY_S

    def end(self) -> None:
        """All of it has ended."""
        self.signals.end()

    def others(self) -> tuple[QueryStatus, ...]:
        """Views that do not run, and why."""
        waiting = dict(self._views.waiting)
        halted = {q.id: "stopped by SYSTEM" for q in self._views.queries if self._is_halted(q)}
        behind = {name: f"`{one}` reads for its group" for name, one in self._behind.items()}
        failing = {name: str(one.error) for name, one in self._failing.items()}
        found = [(name, "waiting", why) for name, why in {**waiting, **halted, **behind}.items()]
        found += [(name, "failing", why) for name, why in failing.items()]
        queries = {query.id: query for query in self._views.queries}
        running = {query.id for query in self._running}
        return tuple(
            idle_status(name, state, why, queries.get(name))
            for name, state, why in found
            if self._is_own(name) and name not in running
        )

    @property
    def _running(self) -> list[Query]:
        return [running.query for running in self.job._running]

    def _is_own(self, name: str) -> bool:
        return self.names is None or name in self.names

    def _plan(self) -> None:
        """The views anew, if definitions were changed."""
        now = self.warehouse.text()
        if now == self._seen:
            return
        plan = self.launch.plan
        assert plan.overrides  # noqa: S101 — a plan with a warehouse has them
        try:
            self._views = views_of(self.warehouse, plan.overrides, plan.settings)
        except PenstockError as error:
            _log.warning("The views of the warehouse cannot be planned: %s", error)
        self._seen = now
        known = {query.id for query in self._views.queries}
        for name in self._failing.keys() - known:
            del self._failing[name]
        self.launch.groups.forget_but(known)

    def _wanted(self, commands: Commands) -> dict[str, Query]:
        self._halted = commands.stopped | commands.paused
        own = (query for query in self._views.queries if self._is_own(query.id))
        chosen, self._behind = readers(query for query in own if not self._is_halted(query))
        return {query.id: query for query in chosen}

    def _is_halted(self, query: Query) -> bool:
        return bool(_tables(query) & self._halted)

    def _carry_out(self, commands: Commands) -> None:
        """What SYSTEM said since."""
        newly_paused = commands.paused - self._halted
        for query in list(self._running):
            tables = _tables(query)
            if tables & commands.stopped or self._is_new(commands, "CANCEL", tables):
                # What is open is broken off, and read again later.
                self._stop(query.id, grace_s=0)
            elif tables & newly_paused:
                self._stop(query.id)
                self._cycle(query)
        refreshed = [query for query in self._views.queries if self._refreshes(query, commands)]
        for query in refreshed:
            self._stop(query.id)
        self._gathered(self._may_start(refreshed))
        for query in refreshed:
            self._cycle(query)

    def _refreshes(self, query: Query, commands: Commands) -> bool:
        """Whether it is to read what is there; not if another table does so for the group."""
        if not self._is_own(query.id) or not self._is_new(commands, "REFRESH", _tables(query)):
            return False
        reading = self._wanted(commands).values()
        if one := readers((*reading, query))[1].get(query.id):
            _log.warning("%s: not refreshed, `%s` reads for its group.", query.id, one)
        return one is None

    def _is_new(self, commands: Commands, verb: str, tables: set[str]) -> bool:
        numbers = (commands.once.get(table, {}).get(verb, 0) for table in tables)
        return max(numbers, default=0) > self._done

    def _cycle(self, query: Query) -> None:
        """Read what is there now, and stop; earlier if somebody wants to change the view."""
        if not self._gathered(self._may_start([query])):
            return
        try:
            running = self._begin(replace(self.launch, drain=True), query)
        except Exception as error:
            self._note(query.id, error)
            return
        self.job._running.append(running)
        until = time.monotonic() + _CYCLE_S
        while running.is_active and time.monotonic() < until:
            if query.id in self.signals.held():
                break
            time.sleep(_EVERY_S)
        failure = running.failure()
        self._stop(query.id)
        if failure is not None:
            self._note(query.id, failure)

    def _start(self, queries: list[Query]) -> None:
        for query in self._gathered(self._may_start(queries)):
            self._try(query, lambda one: self.job._running.append(self._begin(self.launch, one)))

    def _gathered(self, queries: list[Query]) -> list[Query]:
        """Those that can start, once it is known where all begin; groups wait for others, too."""
        launch, views = self.launch, self._views.queries
        together = Together(launch.folder, launch.session, launch.groups)
        able = self._able(queries)
        if able:
            together.expect(able, views, self.job._running)
        for query in queries:
            launch.groups.expect(query)
        return [query for query in able if self._try(query, lambda q: together.begin(q, views))]

    def _try(self, query: Query, step: Callable[[Query], None]) -> bool:
        """Whether a step to its start succeeds."""
        try:
            step(query)
        except Exception as error:
            self._note(query.id, error)
            return False
        return True

    def _able(self, queries: list[Query]) -> list[Query]:
        """Those whose brokers and topics are there."""
        found = obstacles(queries)

        def check(query: Query) -> None:
            require_runnable((query,))
            if query.id in found:
                raise found[query.id]
            begin_anew_if_other(self.job.folder, query, self.launch.session)

        return [query for query in queries if self._try(query, check)]

    def _may_start(self, queries: list[Query]) -> list[Query]:
        """Say that they are run; those of them that nobody wants to change."""
        if not queries:
            return []
        self._tell(also=queries)
        held = self.signals.held()
        is_known = self.warehouse.text() == self._seen
        return [query for query in queries if is_known and query.id not in held]

    def _begin(self, launch: Launch, query: Query) -> Running:
        from penstock.spark.kerberos import use_kerberos
        from penstock.spark.session import active

        use_kerberos(launch.session, (query,))
        with active(launch.session):
            launch.check(query)
            return launch.start(query)

    def _is_due(self, query: Query) -> bool:
        if query in self._running:
            return False
        failing = self._failing.get(query.id)
        return failing is None or failing.is_due

    def _stop(self, name: str, *, grace_s: float = _STOP_GRACE_S, failed: bool = False) -> None:
        for running in [one for one in self.job._running if one.query.id == name]:
            running.stop(time.monotonic() + grace_s)
            self.job._running.remove(running)
            if not failed:
                self.launch.groups.forget(name)

    def _take_out_failed(self) -> None:
        """A view that failed is tried again; one whose tables were changed is planned anew."""
        if not self.retries:
            return
        for running in list(self.job._running):
            error = running.failure()
            name = running.query.id
            if error is not None:
                # Its group stays behind with it.
                self._stop(name, grace_s=0, failed=True)
                self._note(name, error)
            elif name in self._failing and _has_reported(running):
                del self._failing[name]
                _log.warning("%s: goes on.", name)

    def _note(self, name: str, error: Exception) -> None:
        from penstock.runtime.failed_block import told

        known = told(error, name, self.job.folder)
        if not self.retries:
            raise self.job.fail(known, name) from error
        before = self._failing.get(name)
        if before is None or str(before.error) != str(known):
            _log.warning("%s: %s It is tried again.", name, known)
        self._failing[name] = Failing.after(before, known)

    def _tell(self, also: list[Query] | None = None) -> None:
        views = frozenset(query.id for query in [*self._running, *(also or [])])
        if (views, self._done) != self._told:
            self.signals.serve(views, self._done)
            self._told = views, self._done


def _has_reported(running: Running) -> bool:
    """Whether Spark has said how far it is: that it wrote, or that there is nothing to read."""
    found = running.progress()
    return found.batches > 0 or found.lag is not None


def _tables(query: Query) -> set[str]:
    return {scan.table for scan in scans(query.input)}
