"""What a test run has once: one embedded broker, one SparkSession; topics are fresh per test."""

from __future__ import annotations

import os
import uuid
from typing import TYPE_CHECKING

import pytest

from penstock.kafka import admin
from penstock.kafka import broker as embedded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="rewrite the expected plans")
    parser.addoption("--seed", type=int, help="of tests/random: the round to run, or the first")
    parser.addoption("--rounds", type=int, default=1, help="how many from --seed on")


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerStatus]:
    folder = tmp_path_factory.mktemp("broker")
    yield embedded.start(folder, owner_pid=os.getpid())
    embedded.stop(folder)


@pytest.fixture
def topic(broker: BrokerStatus) -> Callable[..., str]:
    """Makes topics with names of their own: `topic("orders", partitions=2)`."""

    def make(name: str = "topic", *, partitions: int = 1) -> str:
        unique = f"{name}_{uuid.uuid4().hex[:8]}"
        properties = {"bootstrap.servers": broker.address}
        admin.create_topic(properties, unique, partitions=partitions)
        return unique

    return make


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    from penstock.spark.session import start_session

    folder = tmp_path_factory.mktemp("spark")
    settings = {"spark.sql.session.timeZone": "UTC", "spark.sql.shuffle.partitions": "2"}
    session = start_session(
        settings,
        master="local[2]",
        app_name="penstock-tests",
        log_file=folder / "spark.log",
        delta=True,
    )
    yield session
    session.stop()
