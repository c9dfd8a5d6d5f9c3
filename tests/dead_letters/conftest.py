"""What the tests of this folder share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.dead_letters.bad_messages import BadMessages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus


@pytest.fixture
def messages(
    spark: SparkSession, broker: BrokerStatus, topic: Callable[..., str], tmp_path: Path
) -> Iterator[BadMessages]:
    made = BadMessages(spark, broker.address, tmp_path, topic)
    yield made
    made.close()
