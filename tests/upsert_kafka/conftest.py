"""The tables of a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.upsert_kafka.upserts import Upserts

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus


@pytest.fixture
def upserts(spark: SparkSession, broker: BrokerStatus, tmp_path: Path) -> Upserts:
    return Upserts(spark, broker.address, tmp_path)
