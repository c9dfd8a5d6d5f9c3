"""A script run as a process that is killed at any moment, and started again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from tests.helpers import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_START_LIMIT_S = 300
END_LIMIT_S = 600
# Between the first batch of a run and its end by force: it has rows for about as long.
_LIVES_S = 1.0
_BATCHES_OF_A_LIFE = 10


def started(script: Path, address: str, *arguments: str, batch: int) -> subprocess.Popen[bytes]:
    """`penstock run` of so many messages per batch, in a process group of its own.

    What it says goes into `out.txt` beside the script.
    """
    command = [sys.executable, "-m", "penstock", "run", str(script), "--bootstrap", address]
    limit = ["--set", f"penstock.max-offsets-per-batch={batch}"]
    with (script.parent / "out.txt").open("ab") as said:
        return subprocess.Popen(
            [*command, *limit, *arguments], stdout=said, stderr=said, start_new_session=True
        )


class KilledJob:
    """A job in a folder of its own, and the processes that have run it."""

    def __init__(self, folder: Path, address: str, script: str) -> None:
        self.folder = folder
        self.address = address
        self.properties = {"bootstrap.servers": address}
        (folder / "job.sql").write_text(script)
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self, *arguments: str, batch: int) -> subprocess.Popen[bytes]:
        """A run that reads so many messages per batch."""
        process = started(self.folder / "job.sql", self.address, *arguments, batch=batch)
        self._processes.append(process)
        return process

    def finish(self, *, batch: int) -> None:
        """A run that reads all there is, and ends by itself."""
        process = self.start("--drain", batch=batch)
        assert process.wait(END_LIMIT_S) == 0, self.said()

    def said(self) -> str:
        return (self.folder / "out.txt").read_text()[-2000:]

    def batches(self) -> int:
        """How many batches Spark has committed, of the query that has fewest."""
        return min(map(_batches, self.folder.glob(".penstock/*/queries/*")), default=0)

    def await_batch_after(self, batches: int, process: subprocess.Popen[bytes]) -> None:
        wait_until(
            lambda: self.batches() > batches or process.poll() is not None,
            timeout_s=_START_LIMIT_S,
        )
        assert process.poll() is None, self.said()

    def kill(self, process: subprocess.Popen[bytes], *, java_too: bool) -> None:
        """With Java left alone for the moment, a late writer meets the next run."""
        if java_too:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()

    def kill_again_and_again(self, send: Callable[[range], None], *, rows: int, kills: int) -> None:
        """`send` so many rows in parts; each but the last ends in a kill at a random moment."""
        chance = random.Random(rows)
        share = rows // (kills + 1)
        for number in range(kills):
            send(range(number * share, (number + 1) * share))
            before = self.batches()
            process = self.start(batch=share // _BATCHES_OF_A_LIFE)
            self.await_batch_after(before, process)
            time.sleep(chance.uniform(0, _LIVES_S))
            self.kill(process, java_too=number % 2 == 0)
        send(range(kills * share, rows))
        self.finish(batch=rows)

    def close(self) -> None:
        """End what a test that failed has left."""
        for process in self._processes:
            if process.poll() is None:
                self.kill(process, java_too=True)


def _batches(query: Path) -> int:
    commits = (query / "checkpoint" / "commits").glob("[0-9]*")
    return max((int(file.name) + 1 for file in commits), default=0)
