"""`filesystem`: options, partitions as folders, metadata, exactly-once files, partition commit."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from penstock import DataError, OptionError, PlanError, Session, SqlError
from penstock.plan.script import plan_script
from penstock.spark.place import Place
from penstock.spark.sinks.filesystem import FilesystemSink
from penstock.sql.parse import parse
from tests.helpers import last_commit, take_back, wait_until

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from penstock.connectors.filesystem import FilesystemTarget
    from penstock.runtime.job import Job


class Folder:
    """Scripts over folders of one test."""

    def __init__(self, spark: SparkSession, path: Path) -> None:
        self.path = path
        self.session = Session(spark, state_dir=path / "state", bindings={})

    def execute(self, text: str, **options: object) -> Job:
        for name in ("in", "out"):
            text = text.replace(f"<{name}>", str(self.path / name))
        return self.session.execute(text, **options)  # type: ignore[arg-type]

    def run(self, text: str, **options: object) -> None:
        assert self.execute(text, **options).wait(120)

    def write(self, name: str, *lines: str) -> None:
        file = self.path / "in" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"{line}\n" for line in lines))

    def lines(self, below: str = "") -> list[str]:
        """The lines of all files a reader sees."""
        return sorted(line for file in self._seen(below) for line in file.read_text().splitlines())

    def visible(self) -> list[str]:
        """The folders of all files a reader sees."""
        return sorted(str(f.parent.relative_to(self.path / "out")) for f in self._seen(""))

    def _seen(self, below: str) -> list[Path]:
        """Every file, hidden names passed over, as any reader does."""
        found = []
        for root, folders, files in os.walk(self.path / "out" / below):
            folders[:] = [name for name in folders if not name.startswith((".", "_"))]
            found += [Path(root, name) for name in files if not name.startswith((".", "_"))]
        return found


@pytest.fixture
def folder(spark: SparkSession, tmp_path: Path) -> Folder:
    return Folder(spark, tmp_path)


COPY = """
CREATE TABLE source ({columns}) {partitions} WITH (
  'connector' = 'filesystem', 'path' = '<in>', 'format' = '{format}'{options}
);
CREATE TABLE sink ({columns}) {partitions} WITH (
  'connector' = 'filesystem', 'path' = '<out>', 'format' = '{format}'{options}
);
INSERT INTO sink SELECT * FROM source;
"""


def copy(columns: str, *, format: str = "json", partitions: str = "", options: str = "") -> str:
    return COPY.format(columns=columns, format=format, partitions=partitions, options=options)


@pytest.mark.spark
@pytest.mark.parametrize(("format_", "line"), [("json", '{"n":1,"s":"a, é"}'), ("csv", '1,"a, é"')])
def test_lines_are_the_formats_records(folder: Folder, format_: str, line: str) -> None:
    folder.write("a.txt", line)
    folder.write("deeper/b.txt", line.replace("1", "2"))
    folder.write("_hidden/c.txt", "not read")
    folder.write(".d.txt", "not read")
    folder.run(copy("n INT, s STRING", format=format_))
    assert folder.lines() == sorted([line, line.replace("1", "2")])
    assert all(file.name.endswith(format_) for file in (folder.path / "out").glob("part-*"))
    folder.run(copy("n INT, s STRING", format=format_))
    assert len(folder.lines()) == 4, "INSERT INTO adds"


@pytest.mark.spark
def test_partitions_are_folders_both_ways(folder: Folder) -> None:
    folder.write("day=2024-01-02/k=a%3Ab+c/x", '{"n":1}')
    folder.write("day=2024-01-03/k=__DEFAULT_PARTITION__/x", '{"n":2}')
    folder.write("stray", '{"n":3}')
    text = copy("n INT, day DATE, k STRING", partitions="PARTITIONED BY (day, k)")
    folder.run(text)
    assert folder.visible() == [
        "day=2024-01-02/k=a%3Ab+c",
        "day=2024-01-03/k=__DEFAULT_PARTITION__",
    ]
    assert folder.lines() == ['{"n":1}', '{"n":2}']
    (folder.path / "in").rename(folder.path / "before")
    (folder.path / "out").rename(folder.path / "in")
    folder.run(
        "CREATE TABLE source (n INT, day DATE, k STRING) PARTITIONED BY (day, k) WITH ("
        "'connector' = 'filesystem', 'path' = '<in>', 'format' = 'json');"
        "CREATE TABLE sink (n INT, day DATE, k STRING) WITH ("
        "'connector' = 'filesystem', 'path' = '<out>', 'format' = 'json');"
        "INSERT INTO sink SELECT * FROM source WHERE day >= DATE '2024-01-02';"
    )
    assert folder.lines() == [
        '{"n":1,"day":"2024-01-02","k":"a:b+c"}',
        '{"n":2,"day":"2024-01-03","k":null}',
    ]


@pytest.mark.spark
def test_facts_of_the_file_are_metadata(folder: Folder) -> None:
    folder.write("a b/c+d%.txt", '{"n":1}')
    folder.run(
        "CREATE TABLE source (n INT, p STRING METADATA FROM 'file.path', "
        "f STRING METADATA FROM 'file.name', z BIGINT METADATA FROM 'file.size', "
        "t TIMESTAMP_LTZ(3) METADATA FROM 'file.modification-time') WITH ("
        "'connector' = 'filesystem', 'path' = 'file://<in>', 'format' = 'json');"
        "CREATE TABLE sink (p STRING, f STRING, z BIGINT, old BOOLEAN) WITH ("
        "'connector' = 'filesystem', 'path' = '<out>', 'format' = 'json');"
        "INSERT INTO sink SELECT p, f, z, t < TIMESTAMP '2024-01-01 00:00:00' FROM source;"
    )
    (line,) = folder.lines()
    path = folder.path / "in" / "a b" / "c+d%.txt"
    assert json.loads(line) == {"p": str(path), "f": "c+d%.txt", "z": 8, "old": False}


@pytest.mark.spark
def test_a_watched_folder_does_not_end(folder: Folder) -> None:
    folder.write("a", '{"n":1}')
    watched = copy("n INT").replace("'json'", "'json', 'source.monitor-interval' = '100 ms'", 1)
    job = folder.execute(watched)
    wait_until(lambda: folder.lines() == ['{"n":1}'], timeout_s=60)
    folder.write("b", '{"n":2}')
    wait_until(lambda: len(folder.lines()) == 2, timeout_s=60)
    assert job.is_active
    job.stop()
    folder.write("c", '{"n":3}')
    folder.run(watched, drain=True)
    assert folder.lines() == ['{"n":1}', '{"n":2}', '{"n":3}']


@pytest.mark.spark
def test_a_bad_line_is_named_with_its_file(folder: Folder) -> None:
    folder.write("bad.json", '{"n":1}', '{"n":"x"}')
    with pytest.raises(DataError, match=r"bad\.json") as caught:
        folder.run(copy("n INT"))
    assert caught.value.code == "BAD_LINE"
    assert folder.visible() == []


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

    target = _target(f"'path' = '{tmp_path / 'out'}'")
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


def _target(options: str) -> FilesystemTarget:
    (query,) = plan_script(
        parse(
            "CREATE TABLE g (v STRING) WITH ('connector' = 'datagen');"
            f"CREATE TABLE f (v STRING, k STRING) PARTITIONED BY (k) WITH ("
            f"'connector' = 'filesystem', 'format' = 'csv', {options});"
            "INSERT INTO f SELECT v, v FROM g;"
        ),
        name="t",
    ).queries
    return query.spec.target  # type: ignore[return-value]


def test_options_are_understood() -> None:
    target = _target("'path' = '/x', 'auto-compaction' = 'true', 'sink.parallelism' = '3'")
    assert (target.path, target.partitions, target.one_file, target.tasks) == (
        "/x",
        ("k",),
        True,
        3,
    )
    assert target.commit is None
    commit = _target(
        "'path' = '/x', 'sink.partition-commit.policy.kind' = 'success-file', "
        "'sink.partition-commit.delay' = '1 h', 'sink.rolling-policy.file-size' = '1MB'"
    ).commit
    assert commit is not None
    assert (commit.success_file, commit.delay_ms, commit.pattern) == ("_SUCCESS", 3_600_000, "$k")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("'csv.allow-comments' = 'true'", "'path'"),
        (
            "'path' = '/x', 'sink.partition-commit.policy.kind' = 'metastore'",
            "not supported",
        ),
        ("'path' = '/x', 'sink.rolling-policy.file-size' = 'big'", "128MB"),
        (
            "'path' = '/x', 'partition.time-extractor.kind' = 'custom'",
            "default",
        ),
    ],
)
def test_what_cannot_be_is_refused(options: str, says: str) -> None:
    with pytest.raises(OptionError) as caught:
        _target(options)
    assert says in str(caught.value)
    assert caught.value.span is not None


@pytest.mark.spark
def test_a_folder_that_is_not_there(folder: Folder) -> None:
    with pytest.raises(OptionError, match="a file or folder that is there"):
        folder.run(copy("n INT"))


TYPES = (
    "n BIGINT, b TINYINT, d DECIMAL(10, 2), s STRING, f DOUBLE, o BOOLEAN, y VARBINARY(3), "
    "day DATE, at TIMESTAMP(6), seen TIMESTAMP_LTZ(3), r ROW<x INT, y ARRAY<STRING>>, "
    "m MAP<STRING, INT>"
)
PARQUET = "'format' = 'parquet', 'parquet.utc-timezone' = 'true'"
ROUND = f"""
CREATE TABLE made ({TYPES}) WITH (
  'connector' = 'filesystem', 'path' = '<in>', 'format' = 'json'
);
CREATE TABLE files ({TYPES}) WITH (
  'connector' = 'filesystem', 'path' = '<out>/files', {PARQUET}, 'parquet.compression' = 'ZSTD'
);
CREATE TABLE back ({TYPES}) WITH (
  'connector' = 'filesystem', 'path' = '<out>/back', 'format' = 'json'
);
"""


@pytest.mark.spark
def test_parquet_keeps_every_type(folder: Folder, spark: SparkSession) -> None:
    line = (
        '{"n":1,"b":-7,"d":1.50,"s":"é","f":0.1,"o":true,"y":"AQID","day":"1969-12-31",'
        '"at":"1890-01-01 00:00:00.000001","seen":"2024-03-10 02:30:00Z",'
        '"r":{"x":null,"y":["a",null]},"m":{"k":1}}'
    )
    empty = "{" + ",".join(f'"{name}":null' for name in json.loads(line)) + "}"
    folder.write("a", line, empty)
    folder.run(ROUND + "INSERT INTO files SELECT * FROM made;")
    folder.run(ROUND + "INSERT INTO back SELECT * FROM files;")
    lines = [line.replace("1.50", "1.5"), empty]
    found = [text.replace("1.50", "1.5") for text in folder.lines("back")]
    assert [json.loads(text) for text in found] == [json.loads(text) for text in sorted(lines)]
    stored = spark.read.parquet(str(folder.path / "out" / "files")).schema
    assert stored["at"].dataType.simpleString() == "timestamp"
    folder.run(ROUND + "INSERT INTO files SELECT * FROM made WHERE n = 5;")
    assert len(list((folder.path / "out" / "files").glob("part-*"))) == 1, "no empty files"


def test_parquet_needs_to_know_the_zone_of_times() -> None:
    text = copy("n INT, at TIMESTAMP(3)", format="parquet").replace("<in>", "/x")
    with pytest.raises(SqlError, match=r"parquet\.utc-timezone"):
        plan_script(parse(text), name="t")


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
