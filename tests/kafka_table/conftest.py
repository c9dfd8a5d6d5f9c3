"""What the tests of this folder share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kafka_table.tables import FORMATS, Tables

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus


@pytest.fixture
def tables(spark: SparkSession, broker: BrokerStatus, tmp_path: Path) -> Tables:
    return Tables(spark, broker.address, tmp_path)


@pytest.fixture(params=FORMATS)
def format_(request: pytest.FixtureRequest) -> str:
    return str(request.param)
