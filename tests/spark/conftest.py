"""The one SparkSession of a test run: two cores, quiet, with the Java module, without Kafka."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from penstock.jars.module import module_jar

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

_STATE_STORE = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

_SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.streaming.stateStore.providerClass": _STATE_STORE,
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession

    from penstock.spark.functions import register

    os.environ["PYSPARK_PYTHON"] = sys.executable
    folder: Path = tmp_path_factory.mktemp("spark")
    builder = SparkSession.builder.master("local[2]").appName("penstock-tests")
    for key, value in _SETTINGS.items():
        builder = builder.config(key, value)
    session = (
        builder.config("spark.driver.extraClassPath", str(module_jar()))
        .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    register(session)
    yield session
    session.stop()
