"""What the tests of this folder share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kafka_source.pipeline import Pipeline

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus


@pytest.fixture
def pipeline(spark: SparkSession, broker: BrokerStatus, tmp_path: Path) -> Iterator[Pipeline]:
    made = Pipeline(spark, broker.address, tmp_path)
    yield made
    made.close()
