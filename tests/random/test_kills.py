"""Random queries on the real broker, in processes that are killed: the topic has their result."""

from __future__ import annotations

import os
import random
import signal
from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from penstock.kafka import admin
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from tests.helpers import wait_until
from tests.random.oracle import by_sqlite
from tests.random.rounds import Round, random_round
from tests.random.sinks import Written
from tests.runtime.killed import started

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

    from penstock.kafka.broker import BrokerStatus
    from tests.random.tables import Row

pytestmark = [pytest.mark.kafka, pytest.mark.slow]

_ROUNDS = 5
_KILLS = 2
_MESSAGES_PER_BATCH = 4
_LIMIT_S = 300


def _rounds() -> Iterator[Round]:
    """Rounds over streams that SQLite can tell the result of."""
    for seed in range(10_000):
        found = replace(random_round(seed), whole=False)
        if by_sqlite(found.query, found.tables, found.batches - 1):
            yield found


class Topics:
    """The topics of a round, and the processes that run its script."""

    def __init__(self, round_: Round, address: str, folder: Path) -> None:
        self.round = round_
        self.address = address
        self.folder = folder
        self.properties = {"bootstrap.servers": address}
        self.prefix = f"random{round_.seed}_{random.randrange(16**8):08x}_"
        self.processes: list[subprocess.Popen[bytes]] = []
        for name in (*(table.name for table in round_.tables), "sink"):
            admin.create_topic(self.properties, self.prefix + name, partitions=1)
        # What is taken back twice would be too much: such a table must be written exactly once.
        exactly = (
            "'sink.delivery-guarantee' = 'exactly-once', "
            f"'sink.transactional-id-prefix' = '{self.prefix}'"
        )
        script = round_.script(self.prefix, exactly if not round_.sink.key else "")
        (folder / "round.sql").write_text(script)

    def send(self) -> None:
        for table in self.round.tables:
            messages = (message for batch in table.batches for message in batch)
            records = (Record(_bytes(m.value), key=_bytes(m.key)) for m in messages)
            produce(self.properties, self.prefix + table.name, records)

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        script = self.folder / "round.sql"
        process = started(script, self.address, *arguments, batch=_MESSAGES_PER_BATCH)
        self.processes.append(process)
        return process

    def kill_after_a_batch(self) -> None:
        """Start, and kill with all that it started as soon as a batch more is done."""
        before = self.batches()
        process = self.start()
        wait_until(
            lambda: self.batches() > before or process.poll() is not None, timeout_s=_LIMIT_S
        )
        assert process.poll() is None, self.said()
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def batches(self) -> int:
        found = self.folder.rglob("checkpoint/commits/[0-9]*")
        return max((int(file.name) + 1 for file in found), default=0)

    def said(self) -> str:
        return (self.folder / "out.txt").read_text()[-2000:]

    def table(self) -> Counter[Row]:
        topic = self.prefix + "sink"
        records = consume(self.properties, topic, from_beginning=True, until_end=True)
        found: Counter[Row] = Counter()
        messages = (Written(_text(r.key), _text(r.value)) for r in records)
        self.round.sink.fold(found, messages, appends=False)
        return found


@pytest.fixture(params=list(islice(_rounds(), _ROUNDS)), ids=lambda round_: str(round_.seed))
def topics(
    request: pytest.FixtureRequest, broker: BrokerStatus, tmp_path: Path
) -> Iterator[Topics]:
    made = Topics(request.param, broker.address, tmp_path)
    yield made
    for process in made.processes:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def test_killed_and_started_again(topics: Topics) -> None:
    round_ = topics.round
    topics.send()
    for _ in range(_KILLS):
        topics.kill_after_a_batch()
    assert topics.start("--drain").wait(_LIMIT_S) == 0, topics.said()
    expected = by_sqlite(round_.query, round_.tables, round_.batches - 1)
    assert expected is not None
    problem = round_.sink.problem(topics.table(), expected)
    assert not problem, f"{problem}\n\n{round_.told()}"


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode()
