"""`filesystem` as a sink: exactly-once files, partition commit, INSERT OVERWRITE."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock import PlanError
from penstock.plan.script import plan_script
from penstock.spark.place import Place
from penstock.spark.sinks.filesystem import FilesystemSink
from penstock.sql.parse import parse
from tests.connectors.folders import target_of
from tests.helpers import last_commit, take_back, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.runtime.job import Job
    from tests.connectors.folders import Folder

STREAM = """
CREATE TABLE made (n BIGINT, k STRING) WITH (
  'connector' = 'datagen', 'rows-per-second' = '100', 'fields.k.length' = '1'
);
CREATE TABLE sink (n BIGINT, k STRING) PARTITIONED BY (k) WITH (
  'connector' = 'filesystem', 'path' = '<out>', 'format' = 'json'{options}
);
INSERT INTO sink SELECT n, CASE WHEN k < '8' THEN 'low' ELSE 'high' END FROM made;
"""


@pytest.mark.spark
def test_a_replayed_batch_is_not_written_twice(folder: Folder) -> None:
    job = folder.execute(STREAM.format(options=""))
    wait_until(lambda: len(folder.lines()) > 200, timeout_s=60)
    job.stop(grace_s=0)
    take_back(last_commit(folder.path / "state"))
    before = folder.lines()
    folder.run(STREAM.format(options=""), drain=True)
    after = folder.lines()
    assert len(after) > len(before)
    assert len(set(after)) == len(after), "a row was written twice"
    assert set(before) <= set(after)
    assert set(folder.visible()) == {"k=low", "k=high"}
    assert not list((folder.path / "out").glob(".penstock-staging-*"))


@pytest.mark.spark
@pytest.mark.parametrize("moved", [0, 1, 2])
def test_a_crash_between_the_moves_is_mended(
    spark: SparkSession, tmp_path: Path, moved: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sink is broken off after so many moved files; the same batch then comes again."""
    from penstock.spark.files import Files

    target = target_of(f"'path' = '{tmp_path / 'out'}'")
    batch = spark.sql(
        "SELECT CAST(id AS STRING) AS value, IF(id < 5, 'a', 'b') AS k FROM range(10)"
    ).coalesce(1)
    move, calls = Files.move, iter(range(10))

    def breaking(self: Files, source: str, target: str) -> None:
        if next(calls) == moved:
            raise KeyboardInterrupt
        move(self, source, target)

    monkeypatch.setattr(Files, "move", breaking)
    if moved < 2:
        with pytest.raises(KeyboardInterrupt):
            FilesystemSink(target, Place(tmp_path)).append(batch, 7)
    else:
        FilesystemSink(target, Place(tmp_path)).append(batch, 7)
    monkeypatch.setattr(Files, "move", move)
    FilesystemSink(target, Place(tmp_path)).append(batch, 7)
    files = list((tmp_path / "out").rglob("part-*"))
    assert len(files) == 2
    assert sorted(int(n) for file in files for n in file.read_text().split()) == list(range(10))


@pytest.mark.spark
def test_partitions_are_announced_when_their_time_has_come(folder: Folder) -> None:
    commit = ", 'sink.partition-commit.policy.kind' = 'success-file'"
    waiting = folder.execute(
        STREAM.format(options=f"{commit}, 'sink.partition-commit.delay' = '1 h'")
    )
    waiting.wait(0.1)
    wait_until(lambda: len(folder.lines()) > 20, timeout_s=60)
    waiting.stop()
    assert not list((folder.path / "out").rglob("_SUCCESS"))
    soon = folder.execute(STREAM.format(options=commit))
    wait_until(
        lambda: bool(soon.wait(0.1)) or len(list((folder.path / "out").rglob("_SUCCESS"))) == 2,
        timeout_s=60,
    )
    soon.stop()


BY_HOUR = """
CREATE TABLE source (n INT, at TIMESTAMP(3), WATERMARK FOR at AS at) WITH (
  'connector' = 'filesystem', 'path' = '<in>', 'format' = 'json',
  'source.monitor-interval' = '100 ms'
);
CREATE TABLE sink (n INT, dt STRING, hr STRING) PARTITIONED BY (dt, hr) WITH (
  'connector' = 'filesystem', 'path' = '<out>', 'format' = 'csv',
  'partition.time-extractor.timestamp-pattern' = '$dt $hr:00:00',
  'sink.partition-commit.trigger' = 'partition-time', 'sink.partition-commit.delay' = '1 h',
  'sink.partition-commit.policy.kind' = 'success-file',
  'sink.partition-commit.success-file.name' = '_done'
);
INSERT INTO sink SELECT n, DATE_FORMAT(at, 'yyyy-MM-dd'), DATE_FORMAT(at, 'HH') FROM source;
"""


@pytest.mark.spark
def test_the_watermark_announces_hours(folder: Folder) -> None:
    folder.write("a", '{"n":1,"at":"2024-01-01 10:20:00"}')
    job = folder.execute(BY_HOUR)
    # A row's watermark counts with the batch after it.
    for rows, time in enumerate(("11:30", "12:30", "12:31"), 1):
        _until_lines(folder, job, rows)
        folder.write(time.replace(":", "-"), f'{{"n":2,"at":"2024-01-01 {time}:00"}}')
    done = folder.path / "out"
    wait_until(lambda: job.wait(0.1) or len(list(done.rglob("_done"))) == 2, timeout_s=60)
    job.stop()
    assert {file.parent.name for file in done.rglob("_done")} == {"hr=10", "hr=11"}


def _until_lines(folder: Folder, job: Job, count: int) -> None:
    wait_until(lambda: job.wait(0.1) or len(folder.lines()) == count, timeout_s=60)


OVERWRITE = """
CREATE TABLE source (n INT, k STRING) WITH (
  'connector' = 'filesystem', 'path' = '<in>', 'format' = 'json'{options}
);
CREATE TABLE sink (n INT, k STRING) {partitions} WITH (
  'connector' = 'filesystem', 'path' = '<out>', 'format' = 'json'
);
INSERT OVERWRITE sink SELECT * FROM source{where};
"""


@pytest.mark.spark
@pytest.mark.parametrize(
    ("partitions", "kept"),
    [
        ("", ['{"n":2,"k":"b"}']),
        ("PARTITIONED BY (k)", ['{"n":1}', '{"n":2}']),
    ],
)
def test_overwriting_replaces_what_gets_rows(
    folder: Folder, partitions: str, kept: list[str]
) -> None:
    folder.write("a", '{"n":1,"k":"a"}', '{"n":2,"k":"b"}')
    for where in ("", " WHERE k = 'b'"):
        folder.run(OVERWRITE.format(partitions=partitions, where=where, options=""))
    assert folder.lines() == kept


def test_a_stream_cannot_overwrite() -> None:
    watched = ", 'source.monitor-interval' = '1 s'"
    text = OVERWRITE.format(partitions="", where="", options=watched)
    with pytest.raises(PlanError, match="INSERT OVERWRITE"):
        plan_script(parse(text), name="t")
