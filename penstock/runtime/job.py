"""A job: the queries of one script, running under one name and one lock.

It is started by `start`; who started it waits for it, or stops it.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from penstock.errors import PenstockError
from penstock.runtime import status

if TYPE_CHECKING:
    from penstock.runtime.follow import Follower
    from penstock.runtime.progress import Progress
    from penstock.runtime.running import Running
    from penstock.runtime.state import JobFolder, JobLock
    from penstock.runtime.status import JobStatus, QueryStatus

# A batch that is being written is let finish, so that a clean stop repeats nothing.
_STOP_GRACE_S = 20.0
_POLL_S = 0.05
_LOOK_EVERY_S = 1.0

_log = logging.getLogger("penstock.job")


@dataclass(slots=True)
class Job:
    """A running job; `ends` says that it ends by itself.

    `ignored_startup` are the tables whose `scan.startup.mode` does not count any more, because a
    checkpoint says where to go on.
    """

    name: str
    folder: JobFolder
    resumed: bool
    ends: bool
    ignored_startup: tuple[str, ...]
    _lock: JobLock
    _running: list[Running] = field(default_factory=list)
    # What the run before told of its queries: it stays if one of them cannot be started.
    _before: tuple[QueryStatus, ...] = ()
    _started_at: str = field(default_factory=status.now)
    # How it ended, and the query and error that ended it.
    _outcome: str = status.RUNNING
    _failed: tuple[str, PenstockError] | None = None
    # One thread at a time looks after the queries: who waits, or the one that does so meanwhile.
    _looking: threading.RLock = field(default_factory=threading.RLock)
    _waiting: bool = False
    # When it told its status last: views that do not run have one, too.
    _told_at: float = 0.0
    # It has ended and given back its lock: another job may have it, and the folder.
    _over: bool = False
    # Views whose table stands by for another of its group.
    _idle: tuple[QueryStatus, ...] = ()
    # Whether others learn its status.
    _tells: bool = True
    # Starts and stops queries while the job runs, which does not end by itself then.
    follower: Follower | None = None

    @property
    def is_active(self) -> bool:
        """Whether any query still runs."""
        return any(running.is_active for running in self._running)

    def progress(self) -> tuple[Progress, ...]:
        """Each query at this moment."""
        with self._looking:
            return tuple(running.progress() for running in self._running)

    def status(self) -> JobStatus:
        """What `penstock status` shows."""
        with self._looking:
            error = self._failed[1] if self._failed else None
            return status.JobStatus(
                self.name,
                self._outcome,
                os.getpid(),
                self._started_at,
                status.now(),
                self.resumed,
                status.error_of(error),
                self._queries(),
            )

    def raise_failure(self) -> None:
        """Raise the error of the first query that failed; the others are stopped."""
        from penstock.runtime.failed_block import told

        if self._failed:
            raise self._failed[1]
        if self.follower and self.follower.retries:
            # Also one that failed while another was started: it is taken out with the next look.
            return
        for running in self._running:
            error = running.failure()
            if error is not None:
                known = told(error, running.query.id, self.folder)
                raise self.fail(known, running.query.id) from error

    def fail(self, error: PenstockError, query: str) -> PenstockError:
        """Stop because of an error of one query; what is to be raised."""
        if self._outcome == status.RUNNING:
            self._outcome, self._failed = "failed", (query, error)
        self.stop()
        return error

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until every query has ended (then True) or one failed (then its error)."""
        from penstock.spark.failure import jvm_lost

        self._waiting = True
        try:
            with jvm_lost(self.folder.log_file):
                return self._wait(timeout_s)
        finally:
            self._waiting = False

    def _wait(self, timeout_s: float | None) -> bool:
        until = None if timeout_s is None else time.monotonic() + timeout_s
        while not (ended := self.look()) and (until is None or time.monotonic() < until):
            time.sleep(_POLL_S)
        return ended

    def look(self) -> bool:
        """Do what is due for the queries; True when all have ended, and the job with them."""
        with self._looking:
            if self._over and not self._failed:
                return True
            if self.follower and not self._failed:
                self.follower.look()
            ended = not self.is_active and not self.follower
            self.raise_failure()
            self._tick(last=ended)
            if ended:
                self._end("finished")
            return ended

    def look_after(self) -> None:
        """Do what is due also while nobody waits, in a thread of its own."""
        threading.Thread(target=self._look_on, name=f"job-{self.name}", daemon=True).start()

    def _look_on(self) -> None:
        from penstock.spark.failure import jvm_lost

        told = ""
        while True:
            try:
                with jvm_lost(self.folder.log_file):
                    if self.look():
                        return
            except PenstockError as error:
                if not self._waiting:
                    _log.error("The job %s failed: %s", self.name, error)
                self._give_up(error)
                return
            except Exception as error:
                # Such as a disk that is full: it may go by, and the queries go on meanwhile.
                if repr(error) != told:
                    told = repr(error)
                    _log.exception("The job %s cannot be looked after", self.name)
            time.sleep(_LOOK_EVERY_S)

    def _give_up(self, error: PenstockError) -> None:
        """Keep the error for who waits; Java may be gone, and with it all that could be asked."""
        with self._looking:
            first = self._running[0].query.id if self._running else self.name
            self._failed = self._failed or (first, error)
            self._outcome = "failed"
            with suppress(Exception):
                self.stop(grace_s=0)
            self._let_go()

    def _tick(self, *, last: bool = False) -> None:
        due = bool(self.follower) and time.monotonic() - self._told_at >= _LOOK_EVERY_S
        for running in self._running:
            try:
                due |= running.tick(last=last)
            except PenstockError as error:
                raise self.fail(error, running.query.id) from error
        if due:
            self._write_status()

    def stop(self, *, grace_s: float = _STOP_GRACE_S) -> None:
        """End; a batch under way is finished first if it ends within the grace."""
        with self._looking:
            if self._over:
                return
            until = time.monotonic() + grace_s
            for running in self._running:
                running.stop(until)
            self._end("stopped")

    def _end(self, how: str) -> None:
        if self._outcome == status.RUNNING:
            self._outcome = how
        try:
            self._write_status()
        finally:
            if self.follower:
                self.follower.end()
            self._let_go()

    def _let_go(self) -> None:
        if not self._over:
            self._over = True
            self._lock.release()

    def _write_status(self) -> None:
        self._told_at = time.monotonic()
        if self._tells:
            status.write_status(self.folder.path, self.status())

    def _queries(self) -> tuple[QueryStatus, ...]:
        started = [self._query_status(running) for running in self._running]
        started += self.follower.others() if self.follower else self._idle
        known = {one.query for one in started}
        return (*started, *(one for one in self._before if self._failed and one.query not in known))

    def _query_status(self, running: Running) -> QueryStatus:
        query, state = running.query, self._outcome
        if self._failed:
            state = "failed" if self._failed[0] == query.id else "stopped"
        elif not running.is_active and state == status.RUNNING:
            state = "finished"
        return status.query_status(
            running.progress(),
            state=state,
            runs_as=query.execution.value,
            guarantee=query.spec.target.guarantee,
            groups=running.groups,
        )
