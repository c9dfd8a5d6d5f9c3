"""What the tests of this folder share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.clickhouse.queue import Queue
from tests.clickhouse.server import Server
from tests.clickhouse.warehouse import Warehouse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus


@pytest.fixture
def queue(
    spark: SparkSession, broker: BrokerStatus, topic: Callable[..., str], tmp_path: Path
) -> Iterator[Queue]:
    made = Queue(spark, broker.address, tmp_path, topic)
    yield made
    made.close()


@pytest.fixture
def warehouse(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Warehouse:
    return Warehouse(spark, tmp_path, capsys)


@pytest.fixture
def server(
    spark: SparkSession,
    broker: BrokerStatus,
    topic: Callable[..., str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Server]:
    made = Server(spark, broker.address, tmp_path, topic, capsys)
    yield made
    made.close()


@pytest.fixture
def server_at_rest(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Iterator[Server]:
    """Without Kafka."""
    made = Server(spark, "nowhere:1", tmp_path, lambda name, **_: name, capsys)
    yield made
    made.close()
