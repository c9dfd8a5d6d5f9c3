"""One schema registry for all tests of formats that need one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kafka_table.tables import Tables
from tests.registries.apicurio import Registry, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked(tmp_path_factory.mktemp("apicurio"))


@pytest.fixture(scope="session")
def registry(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    running = Registry(program, tmp_path_factory.mktemp("registry"))
    running.start()
    yield running
    running.stop()


@pytest.fixture
def tables(spark: SparkSession, broker: BrokerStatus, tmp_path: Path) -> Tables:
    return Tables(spark, broker.address, tmp_path)
