"""A job killed again and again, and a broker that dies: each row is there once, or at least once.

The short versions are in the normal ring, the long ones are slow: `make test-slow`.
"""

from __future__ import annotations

import json
import os
import random
import signal
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from penstock.kafka import admin
from penstock.kafka import broker as embedded
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from tests.helpers import wait_until
from tests.runtime.killed import END_LIMIT_S, KilledJob

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from penstock.kafka.broker import BrokerStatus

pytestmark = pytest.mark.kafka

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


class Copying(KilledJob):
    """A script that copies numbers, run as a process."""

    def __init__(self, folder: Path, address: str, *, guarantee: str = _EXACTLY_ONCE) -> None:
        self.source, self.sink = (f"{n}_{random.randrange(16**8):08x}" for n in ("in", "out"))
        names = {"source": self.source, "sink": self.sink, "guarantee": guarantee}
        super().__init__(folder, address, SCRIPT % names)
        for topic in (self.source, self.sink):
            admin.create_topic(self.properties, topic, partitions=_PARTITIONS)

    def send(self, numbers: range) -> None:
        produce(self.properties, self.source, (Record(b'{"n":%d}' % n) for n in numbers))

    def counts(self) -> Counter[int]:
        records = consume(self.properties, self.sink, from_beginning=True, until_end=True)
        return Counter(json.loads(record.value or b"")["n"] for record in records)


def _make(folder: Path, address: str, **options: str) -> Iterator[Copying]:
    copying = Copying(folder, address, **options)
    yield copying
    copying.close()


@pytest.fixture
def exactly_once(broker: BrokerStatus, tmp_path: Path) -> Iterator[Copying]:
    yield from _make(tmp_path, broker.address)


@pytest.fixture
def at_least_once(broker: BrokerStatus, tmp_path: Path) -> Iterator[Copying]:
    yield from _make(tmp_path, broker.address, guarantee="")


SIZES = [
    pytest.param(50_000, 2, id="short"),
    pytest.param(500_000, 50, id="long", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("rows", "kills"), SIZES)
def test_killed_exactly_once(rows: int, kills: int, exactly_once: Copying) -> None:
    exactly_once.kill_again_and_again(exactly_once.send, rows=rows, kills=kills)
    found = exactly_once.counts()
    assert sorted(found) == list(range(rows))
    assert found.most_common(1)[0][1] == 1


@pytest.mark.parametrize(("rows", "kills"), [pytest.param(20_000, 1, id="short"), SIZES[-1]])
def test_killed_at_least_once(rows: int, kills: int, at_least_once: Copying) -> None:
    at_least_once.kill_again_and_again(at_least_once.send, rows=rows, kills=kills)
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
        assert process.wait(END_LIMIT_S) == 0, copying.said()
        found = copying.counts()
        assert sorted(found) == list(range(rows))
        assert found.most_common(1)[0][1] == 1
