"""Kafka tables whose broker is away: they can be made, and are read once it answers."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from penstock.kafka import admin
from penstock.kafka import broker as embedded
from tests.clickhouse.server import Server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus

pytestmark = [pytest.mark.kafka, pytest.mark.slow]

_ROWS = 20_000
_MADE = """
CREATE TABLE kept (n Int64) ENGINE = MergeTree ORDER BY n;
CREATE MATERIALIZED VIEW v TO kept AS SELECT n FROM queue;
"""


@pytest.fixture
def own_broker(tmp_path: Path) -> Iterator[BrokerStatus]:
    folder = tmp_path / "broker"
    yield embedded.start(folder, owner_pid=os.getpid())
    embedded.stop(folder)


def test_a_table_is_made_while_its_broker_is_away(
    spark: SparkSession,
    own_broker: BrokerStatus,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def topic(name: str, *, partitions: int) -> str:
        admin.create_topic({"bootstrap.servers": own_broker.address}, name, partitions=partitions)
        return name

    server = Server(spark, own_broker.address, tmp_path, topic, capsys)
    server.send(range(_ROWS))
    server.serve()
    os.kill(own_broker.pid, signal.SIGSTOP)
    try:
        server.sql(server.queue() + _MADE)
        server.await_state("v", "failing")
    finally:
        os.kill(own_broker.pid, signal.SIGCONT)
    server.await_numbers(range(_ROWS))
    server.close()
