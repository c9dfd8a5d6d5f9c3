"""Checkpoint files on a local disk: written as a whole or not at all, read, listed, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from py4j.protocol import Py4JJavaError

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


class Files:
    """The Java class, for one folder."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self._jvm: Any = spark.sparkContext._jvm
        self._path = self._jvm.org.apache.hadoop.fs.Path
        self.folder = folder
        hadoop = self._jvm.org.apache.hadoop.conf.Configuration()
        self.manager = self._jvm.penstock.checkpoint.CheckpointFiles(
            self._path(str(folder)), hadoop
        )

    def path(self, name: str) -> Any:
        return self._path(str(self.folder / name))

    def begin(self, name: str, text: str, *, overwrite: bool = False) -> Any:
        out = self.manager.createAtomic(self.path(name), overwrite)
        out.write(bytearray(text.encode()))
        return out

    def write(self, name: str, text: str, *, overwrite: bool = False) -> None:
        self.begin(name, text, overwrite=overwrite).close()

    def names(self) -> list[str]:
        return [found.getPath().getName() for found in self.manager.list(self.path(""))]


@pytest.fixture
def files(spark: SparkSession, tmp_path: Path) -> Files:
    return Files(spark, tmp_path / "checkpoint")


def test_a_file_is_there_when_it_is_closed(files: Files) -> None:
    out = files.begin("offsets/0", "half")
    assert not files.manager.exists(files.path("offsets/0"))
    out.close()
    assert (files.folder / "offsets" / "0").read_text() == "half"
    assert [file.name for file in (files.folder / "offsets").iterdir()] == ["0"]


def test_a_file_that_is_given_up_leaves_nothing(files: Files) -> None:
    out = files.begin("0", "half")
    out.cancel()
    out.close()
    assert list(files.folder.iterdir()) == []


def test_a_file_is_replaced_only_if_asked(files: Files) -> None:
    files.write("0", "one")
    (files.folder / ".0.crc").write_text("of Hadoop")
    with pytest.raises(Py4JJavaError, match="FileAlreadyExistsException"):
        files.write("0", "two")
    assert (files.folder / "0").read_text() == "one"
    files.write("0", "three", overwrite=True)
    assert (files.folder / "0").read_text() == "three"
    assert [file.name for file in files.folder.iterdir()] == ["0"]


def test_reading_jumps(files: Files) -> None:
    files.write("0", "".join(map(str, range(50_000))))
    text = (files.folder / "0").read_text()
    stream = files.manager.open(files.path("0"))
    stream.seek(100_000)
    assert (stream.read(), stream.getPos()) == (ord(text[100_000]), 100_001)
    stream.seek(0)
    assert stream.read() == ord(text[0])
    assert bytes(stream.readAllBytes()).decode() == text[1:]
    assert stream.read() == -1
    stream.close()


def test_lists_and_deletes(files: Files) -> None:
    for name in ("b", "a", "folder/x"):
        files.write(name, name)
    (files.folder / ".a.crc").write_text("of Hadoop")
    assert files.names() == ["a", "b", "folder"]
    assert [f.getLen() for f in files.manager.list(files.path("a"))] == [1]
    for name in ("folder", "a", "never there"):
        files.manager.delete(files.path(name))
    assert files.names() == ["b"]


def test_what_is_missing_is_said_as_spark_expects(files: Files) -> None:
    for ask in (files.manager.open, files.manager.list):
        with pytest.raises(Py4JJavaError, match="FileNotFoundException"):
            ask(files.path("missing"))
    assert str(files.manager.createCheckpointDirectory()) == f"file:{files.folder}"
    assert files.folder.is_dir()


def test_another_file_system_is_left_to_spark(spark: SparkSession) -> None:
    jvm: Any = spark.sparkContext._jvm
    hadoop = jvm.org.apache.hadoop.conf.Configuration()
    hadoop.set(
        "spark.sql.streaming.checkpointFileManagerClass", "penstock.checkpoint.CheckpointFiles"
    )
    hadoop.set("fs.other.impl", "org.apache.hadoop.fs.ftp.FTPFileSystem")
    folder = jvm.org.apache.hadoop.fs.Path("other://user:word@127.0.0.1/x")
    assert not jvm.penstock.checkpoint.CheckpointFiles(folder, hadoop).isLocal()
