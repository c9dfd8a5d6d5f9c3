"""What the tests of functions share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

# Folding constants would take the work away from the generated code.
_NO_FOLDING = "org.apache.spark.sql.catalyst.optimizer.ConstantFolding"


@pytest.fixture(scope="module")
def in_zone(spark: SparkSession) -> Callable[[str], SparkSession]:
    """Sessions of the settings that every job has, one per time zone."""
    from penstock.spark.functions import register
    from penstock.spark.session import session_settings

    sessions: dict[str, SparkSession] = {}

    def get(zone: str) -> SparkSession:
        if zone not in sessions:
            sessions[zone] = spark.newSession()
            register(sessions[zone])
            for key, value in session_settings({"table.local-time-zone": zone}).items():
                sessions[zone].conf.set(key, value)
            sessions[zone].conf.set("spark.sql.optimizer.excludedRules", _NO_FOLDING)
        return sessions[zone]

    return get
