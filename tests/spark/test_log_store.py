"""The log of a Delta table on a local disk: of several writers of one commit, one succeeds."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from py4j.protocol import Py4JJavaError

from penstock.spark.delta import StoredTable
from penstock.spark.java_class import java_class

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

_COMMITS = 60
_WEEK_S = 7 * 86_400


class Log:
    """The Java class, for one folder."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self._hadoop = spark._jsparkSession.sessionState().newHadoopConf()  # type: ignore[operator]
        self._store = java_class(spark, "penstock.delta.LocalLogStore")(self._hadoop)
        self._path = java_class(spark, "org.apache.hadoop.fs.Path")
        self._list = java_class(spark, "java.util.List")
        self.folder = folder

    def write(self, name: str, text: str, *, overwrite: bool = False) -> bool:
        """Whether the place was free."""
        lines = self._list.of(text).iterator()
        try:
            self._store.write(self._path(str(self.folder / name)), lines, overwrite, self._hadoop)
        except Py4JJavaError as error:
            assert "java.nio.file.FileAlreadyExistsException" in str(error)
            return False
        return True


@pytest.fixture
def log(spark: SparkSession, tmp_path: Path) -> Log:
    return Log(spark, tmp_path)


def test_a_commit_that_is_there_stays(log: Log) -> None:
    assert log.write("0.json", "first")
    assert not log.write("0.json", "second")
    assert {file.name: file.read_text() for file in log.folder.iterdir()} == {"0.json": "first\n"}


def test_what_may_be_replaced_is_replaced(log: Log) -> None:
    assert log.write("_last_checkpoint", "first")
    assert log.write("_last_checkpoint", "second", overwrite=True)
    assert (log.folder / "_last_checkpoint").read_text() == "second\n"


def test_of_two_writers_of_each_commit_one_succeeds(log: Log) -> None:
    def committed(writer: str) -> set[int]:
        return {n for n in range(_COMMITS) if log.write(f"{n}.json", writer)}

    with ThreadPoolExecutor() as pool:
        one, other = pool.map(committed, ("one", "other"))
    assert not one & other
    for number in range(_COMMITS):
        writer = "one" if number in one else "other"
        assert (log.folder / f"{number}.json").read_text() == f"{writer}\n"


def test_tables_have_it(spark: SparkSession, tmp_path: Path) -> None:
    """Delta's own leaves a sum beside each commit."""
    StoredTable(spark, str(tmp_path / "t")).create((("n", "INT"),), lifetime_s=_WEEK_S)
    names = {file.name for file in (tmp_path / "t" / "_delta_log").iterdir()}
    assert "00000000000000000000.json" in names
    assert ".00000000000000000000.json.crc" not in names
