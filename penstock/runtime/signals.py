"""What the processes of one warehouse tell each other, in small files of its folder.

<warehouse>/lock            held by the one process that runs views
<warehouse>/changing        held by the one process that changes definitions
<warehouse>/held.json       views that stand still while their tables are changed, and for whom
<warehouse>/served.json     views that are run, by whom, and the last command that was carried out
<warehouse>/commands.json   SYSTEM STOP and its kind, for that process

A view is never changed while it runs: who changes says `hold` and then looks what is `served`; who
runs says `serve` and then looks what is `held`. So at least one of both sees the other. What a
process has said is void once it is gone.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from penstock.errors import RunError
from penstock.jars.processes import identity, is_same
from penstock.runtime.file_lock import await_alone, sign
from penstock.runtime.state import await_end, orphans
from penstock.spark.kept import keep, read_kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

# A batch that is being written ends within that, or is broken off.
STOPPED_WITHIN_S = 90.0
_POLL_S = 0.05


@dataclass(frozen=True, slots=True)
class Served:
    """Who runs views, which, and how many commands it has carried out."""

    process: str
    views: frozenset[str]
    done: int

    @property
    def pid(self) -> str:
        """Its number."""
        return _pid(self.process)


@dataclass(frozen=True, slots=True)
class Commands:
    """What SYSTEM said so far of Kafka tables: those that stand still, and what to do once.

    `once` are the numbers of the last CANCEL and REFRESH of a table.
    """

    number: int = 0
    stopped: frozenset[str] = frozenset()
    paused: frozenset[str] = frozenset()
    once: dict[str, dict[str, int]] = field(default_factory=dict)

    def after(self, verb: str, tables: Iterable[str]) -> Commands:
        """With one more."""
        number, chosen = self.number + 1, frozenset(tables)
        stopped, paused, once = self.stopped - chosen, self.paused - chosen, dict(self.once)
        if verb == "STOP":
            stopped |= chosen
        elif verb == "PAUSE":
            paused |= chosen
        elif verb in ("CANCEL", "REFRESH"):
            stopped, paused = self.stopped, self.paused
            for table in chosen:
                once[table] = {**once.get(table, {}), verb: number}
        return Commands(number, stopped, paused, once)

    def moved(self, names: Mapping[str, str]) -> Commands:
        """With other names of tables; those that have none are gone."""

        def now(tables: frozenset[str]) -> frozenset[str]:
            return frozenset(names.get(table, table) for table in tables) - {""}

        once = {names.get(table, table): said for table, said in self.once.items()}
        once.pop("", None)
        return Commands(self.number, now(self.stopped), now(self.paused), once)


class Signals:
    """The files of one warehouse."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._own = identity(os.getpid())

    def hold(self, views: Iterable[str], spark: int | None = None) -> None:
        """Let these views stand still until `release`, or until this process is gone.

        So is its Spark then, which may run them: who takes its place waits for that.
        """
        earlier = read_kept(self._folder / "held.json")
        if earlier and earlier["process"] != self._own:
            self._await_end([earlier.get("spark", "")])
        own = {"process": self._own, "spark": identity(spark) if spark else ""}
        keep(self._folder / "held.json", {**own, "views": sorted(views)})

    def release(self) -> None:
        """Let all of them run; those that stand still for another process do so."""
        file = self._folder / "held.json"
        if (found := read_kept(file)) and found["process"] == self._own:
            file.unlink(missing_ok=True)

    def held(self) -> frozenset[str]:
        """The views that stand still for another process."""
        found = read_kept(self._folder / "held.json")
        lives = found and (is_same(found["process"]) or is_same(found.get("spark", "")))
        return frozenset(found["views"] if lives else ())

    def serve(self, views: Iterable[str], done: int) -> None:
        """This process runs these views, or is about to."""
        said = {"process": self._own, "views": sorted(views), "done": done}
        keep(self._folder / "served.json", said)

    def served(self) -> Served | None:
        """What the process says that runs views; None if there is none."""
        found = read_kept(self._folder / "served.json")
        if not found or not is_same(found["process"]):
            return None
        return Served(found["process"], frozenset(found["views"]), found["done"])

    def begin(self) -> None:
        """What was said to whoever ran views before is not for this process."""
        (self._folder / "commands.json").unlink(missing_ok=True)

    def end(self) -> None:
        """This process runs no views any more."""
        (self._folder / "served.json").unlink(missing_ok=True)

    def await_stopped(self, views: Iterable[str]) -> None:
        """Wait until nobody runs any of these views."""
        names = frozenset(views)
        self._await(lambda served: not names & served.views, "let go of its views")
        if self.served() is None:
            self._await_end(orphans(self._folder))

    def _await_end(self, processes: list[str]) -> None:
        """One that was left may yet write a batch that nobody would know of."""
        if still := await_end(processes):
            what = "has not ended, although the process that ran views by it is gone"
            raise RunError("WAREHOUSE_BUSY", warehouse=self._folder, pid=_pid(still[0]), what=what)

    def command(self, verb: str, tables: Iterable[str]) -> bool:
        """Have a command carried out; False if no process runs views."""
        served = self.served()
        if served is None:
            return False
        after = self.commands(served.process).after(verb, tables)
        self._say(served, after)
        self._await(lambda now: now.done >= after.number, "carry out the command")
        return True

    def move(self, names: Mapping[str, str]) -> None:
        """What was said of tables holds of them under other names; of those that are gone not."""
        if served := self.served():
            self._say(served, self.commands(served.process).moved(names))

    def _say(self, served: Served, commands: Commands) -> None:
        said = {
            "process": served.process,
            "number": commands.number,
            "stopped": sorted(commands.stopped),
            "paused": sorted(commands.paused),
            "once": commands.once,
        }
        keep(self._folder / "commands.json", said)

    def commands(self, process: str | None = None) -> Commands:
        """What was said to a process, this one unless it is named: another one begins anew."""
        found = read_kept(self._folder / "commands.json")
        if not found or found["process"] != (process or self._own):
            return Commands()
        stopped, paused = frozenset(found["stopped"]), frozenset(found["paused"])
        return Commands(found["number"], stopped, paused, found["once"])

    def _await(self, done: Callable[[Served], bool], what: str) -> None:
        until = time.monotonic() + STOPPED_WITHIN_S
        while (served := self.served()) and not done(served):
            if time.monotonic() > until:
                raise RunError(
                    "WAREHOUSE_BUSY",
                    warehouse=self._folder,
                    pid=served.pid,
                    what=f"did not {what} within {STOPPED_WITHIN_S:.0f} s",
                )
            time.sleep(_POLL_S)


class ChangeLock:
    """Held while definitions are changed; others wait for their turn."""

    def __init__(
        self,
        folder: Path,
        *,
        within_s: float | None = None,
        stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._signals = Signals(folder)
        self._file: IO[str] = (folder / "changing").open("a+")
        within_s = STOPPED_WITHIN_S if within_s is None else within_s
        doing = "changing it"
        await_alone(self._file, within_s=within_s, warehouse=folder, doing=doing, stopping=stopping)
        sign(self._file)

    def __enter__(self) -> None:
        """It is held."""

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Let views run, and then the next one change them."""
        if not self._file.closed:
            self._signals.release()
            self._file.truncate(0)
            self._file.close()


def _pid(process: str) -> str:
    return process.partition(" ")[0]
