"""`penstock serve` as a process: asked from another one, and killed at any moment."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from penstock.runtime.signals import Signals
from tests.helpers import wait_until

if TYPE_CHECKING:
    from tests.clickhouse.server import Server

pytestmark = pytest.mark.kafka

_START_LIMIT_S, _END_LIMIT_S = 300, 1800
_BATCHES_OF_A_LIFE = 8
TABLES = """
CREATE TABLE kept (n Int64) ENGINE = MergeTree ORDER BY n;
CREATE TABLE copied (n Int64) ENGINE = MergeTree ORDER BY n;
CREATE TABLE counted (c UInt64) ENGINE = MergeTree ORDER BY c;
CREATE MATERIALIZED VIEW v TO kept AS SELECT n FROM queue;
CREATE MATERIALIZED VIEW w TO counted AS SELECT count() AS c FROM queue;
CREATE MATERIALIZED VIEW x TO copied AS SELECT n FROM kept;
"""


def _serve(server: Server, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "penstock", "serve", "--warehouse", str(server.warehouse.path)]
    with (server.folder / "out.txt").open("ab") as said:
        return subprocess.Popen(
            [*command, "--bootstrap", server.address, *arguments],
            stdout=said,
            stderr=said,
            start_new_session=True,
        )


def _batches(server: Server) -> int:
    """How many batches Spark has committed of both views of the topic."""
    found = (server.warehouse.path / "queries").glob("[vw]/checkpoint/commits/[0-9]*")
    return sum(1 for _ in found)


def _kill(server: Server, process: subprocess.Popen[bytes], *, java_too: bool) -> None:
    assert process.poll() is None, (server.folder / "out.txt").read_text()[-2000:]
    if java_too:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


@pytest.mark.parametrize(
    ("rows", "kills"), [(2_000, 1), pytest.param(200_000, 30, marks=pytest.mark.slow)]
)
def test_every_row_is_there_once(rows: int, kills: int, server: Server) -> None:
    chance = random.Random(rows)
    share = rows // (kills + 1)
    block = share // _BATCHES_OF_A_LIFE
    server.sql(server.queue(kafka_max_block_size=block) + TABLES)
    for number in range(kills):
        server.send(range(number * share, (number + 1) * share))
        before = _batches(server)
        process = _serve(server)
        wait_until(
            lambda before=before, process=process: (
                _batches(server) > before or process.poll() is not None
            ),
            timeout_s=_START_LIMIT_S,
        )
        time.sleep(chance.uniform(0, 2))
        _kill(server, process, java_too=number % 2 == 0)
    server.send(range(kills * share, rows))
    assert _serve(server, "--drain").wait(_END_LIMIT_S) == 0
    for table in ("kept", "copied"):
        select = f"SELECT count(), uniqExact(n), min(n), max(n) FROM {table}"
        assert server.sql(f"{select} FORMAT JSONCompactEachRow") == [[rows, rows, 0, rows - 1]]
    assert server.sql("SELECT sum(c) FROM counted FORMAT JSONCompactEachRow") == [[rows]]
    assert server.committed() == rows


def test_statements_of_another_process_reach_the_server(server: Server) -> None:
    server.sql(server.queue() + TABLES)
    server.send(range(3))
    process = _serve(server)
    try:
        server.await_numbers(range(3))
        server.sql("DETACH TABLE queue")
        served = Signals(server.warehouse.path).served()
        assert served
        assert (served.pid, served.views & {"v", "w"}) == (str(process.pid), frozenset())
        server.send(range(3, 5))
        server.sql("ATTACH TABLE queue")
        server.await_numbers(range(5))
        server.await_numbers(range(5), "copied")
        process.terminate()
        assert process.wait(_END_LIMIT_S) == 0
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert server.committed() == 5
