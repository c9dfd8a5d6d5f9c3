"""A job killed again and again, and a broker that dies: each row is there once, or at least once.

The short versions are in the normal ring, the long ones are slow: `make test-slow`.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from penstock.kafka import admin
from penstock.kafka import broker as embedded
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from tests.helpers import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from penstock.kafka.broker import BrokerStatus

pytestmark = pytest.mark.kafka

_START_LIMIT_S = 300
_END_LIMIT_S = 600
# Between the first batch of a run and its end by force: it has rows for about as long.
_LIVES_S = 1.0
_BATCHES_OF_A_LIFE = 10
_PARTITIONS = 4
_TABLE = "'connector' = 'kafka', 'properties.bootstrap.servers' = 'x:1', 'format' = 'json'"
_EXACTLY_ONCE = (
    ", 'sink.delivery-guarantee' = 'exactly-once', 'sink.transactional-id-prefix' = 'kills'"
)
SCRIPT = f"""
CREATE TABLE numbers (n BIGINT) WITH (
  {_TABLE}, 'topic' = '%(source)s', 'scan.startup.mode' = 'earliest-offset');
CREATE TABLE copies (n BIGINT) WITH ({_TABLE}, 'topic' = '%(sink)s'%(guarantee)s);
INSERT INTO copies SELECT n FROM numbers;
"""


class Copying:
    """A script that copies numbers, run as a process."""

    def __init__(self, folder: Path, address: str, *, guarantee: str = _EXACTLY_ONCE) -> None:
        self.folder = folder
        self.address = address
        self.properties = {"bootstrap.servers": address}
        self.source, self.sink = (f"{n}_{random.randrange(16**8):08x}" for n in ("in", "out"))
        for topic in (self.source, self.sink):
            admin.create_topic(self.properties, topic, partitions=_PARTITIONS)
        names = {"source": self.source, "sink": self.sink, "guarantee": guarantee}
        (folder / "copy.sql").write_text(SCRIPT % names)
        self.processes: list[subprocess.Popen[bytes]] = []

    def send(self, numbers: range) -> None:
        produce(self.properties, self.source, (Record(b'{"n":%d}' % n) for n in numbers))

    def start(self, *arguments: str, batch: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "penstock", "run", str(self.folder / "copy.sql")]
        limit = ["--set", f"penstock.max-offsets-per-batch={batch}"]
        with (self.folder / "out.txt").open("ab") as said:
            process = subprocess.Popen(
                [*command, "--bootstrap", self.address, *limit, *arguments],
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def finish(self, *, batch: int) -> None:
        process = self.start("--drain", batch=batch)
        assert process.wait(_END_LIMIT_S) == 0, self.said()

    def said(self) -> str:
        return (self.folder / "out.txt").read_text()[-2000:]

    def batches(self) -> int:
        """How many batches Spark has committed."""
        found = self.folder.rglob("checkpoint/commits/[0-9]*")
        return max((int(file.name) + 1 for file in found), default=0)

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

    def counts(self) -> Counter[int]:
        records = consume(self.properties, self.sink, from_beginning=True, until_end=True)
        return Counter(json.loads(record.value or b"")["n"] for record in records)


def _make(folder: Path, address: str, **options: str) -> Iterator[Copying]:
    copying = Copying(folder, address, **options)
    yield copying
    for process in copying.processes:
        if process.poll() is None:
            copying.kill(process, java_too=True)


@pytest.fixture
def exactly_once(broker: BrokerStatus, tmp_path: Path) -> Iterator[Copying]:
    yield from _make(tmp_path, broker.address)


@pytest.fixture
def at_least_once(broker: BrokerStatus, tmp_path: Path) -> Iterator[Copying]:
    yield from _make(tmp_path, broker.address, guarantee="")


SIZES = [
    pytest.param(50_000, 4, id="short"),
    pytest.param(500_000, 50, id="long", marks=pytest.mark.slow),
]


def _kill_again_and_again(copying: Copying, rows: int, kills: int) -> None:
    chance = random.Random(rows)
    share = rows // (kills + 1)
    for number in range(kills):
        copying.send(range(number * share, (number + 1) * share))
        before = copying.batches()
        process = copying.start(batch=share // _BATCHES_OF_A_LIFE)
        copying.await_batch_after(before, process)
        time.sleep(chance.uniform(0, _LIVES_S))
        copying.kill(process, java_too=number % 2 == 0)
    copying.send(range(kills * share, rows))
    copying.finish(batch=rows)


@pytest.mark.parametrize(("rows", "kills"), SIZES)
def test_killed_exactly_once(rows: int, kills: int, exactly_once: Copying) -> None:
    _kill_again_and_again(exactly_once, rows, kills)
    found = exactly_once.counts()
    assert sorted(found) == list(range(rows))
    assert found.most_common(1)[0][1] == 1


@pytest.mark.parametrize(("rows", "kills"), [pytest.param(30_000, 2, id="short"), SIZES[-1]])
def test_killed_at_least_once(rows: int, kills: int, at_least_once: Copying) -> None:
    _kill_again_and_again(at_least_once, rows, kills)
    assert sorted(at_least_once.counts()) == list(range(rows))


class Mortal:
    """A broker that is killed, and started again where it was."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = embedded.start(folder, owner_pid=os.getpid()).address

    def die_and_return(self) -> None:
        running = embedded.status(self.folder)
        assert running
        os.kill(running.pid, signal.SIGKILL)
        wait_until(lambda: embedded.status(self.folder) is None)
        port = int(self.address.rpartition(":")[2])
        embedded.start(self.folder, port=port, owner_pid=os.getpid())


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Mortal]:
    broker = Mortal(tmp_path / "broker")
    yield broker
    embedded.stop(broker.folder)


@pytest.mark.parametrize(
    ("rows", "deaths"),
    [
        pytest.param(50_000, 1, id="short"),
        pytest.param(500_000, 10, id="long", marks=pytest.mark.slow),
    ],
)
def test_the_broker_dies(rows: int, deaths: int, mortal: Mortal, tmp_path: Path) -> None:
    """The job goes on by itself when the broker is back."""
    for copying in _make(tmp_path, mortal.address):
        copying.send(range(rows))
        batch = rows // (deaths * 10)
        process = copying.start("--drain", batch=batch)
        for _ in range(deaths):
            copying.await_batch_after(copying.batches(), process)
            mortal.die_and_return()
        assert process.wait(_END_LIMIT_S) == 0, copying.said()
        found = copying.counts()
        assert sorted(found) == list(range(rows))
        assert found.most_common(1)[0][1] == 1
