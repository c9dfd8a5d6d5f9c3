"""`filesystem`: options, lines of files, partitions as folders, metadata."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from penstock import DataError, OptionError
from tests.connectors.folders import copy, target_of
from tests.helpers import wait_until

if TYPE_CHECKING:
    from tests.connectors.folders import Folder


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
def test_a_file_that_comes_later_has_later_rows(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    script = (
        "CREATE TABLE source (n INT) WITH ('connector' = 'filesystem', 'path' = '<in>', "
        "'format' = 'json', 'source.monitor-interval' = '100 ms');"
        "CREATE TABLE shown (f INT, l INT, s STRING) WITH ('connector' = 'print');"
        "INSERT INTO shown SELECT FIRST_VALUE(n), LAST_VALUE(n), LISTAGG(CAST(n AS STRING)) "
        "FROM source;"
    )
    folder.write("a", *(f'{{"n":{n}}}' for n in (1, 2, 3)))
    folder.run(script, drain=True)
    folder.write("b", '{"n":4}')
    folder.run(script, drain=True)
    shown = capsys.readouterr().out.splitlines()
    assert shown == ["+I[1, 3, 1,2,3]", "-U[1, 3, 1,2,3]", "+U[1, 4, 1,2,3,4]"]


@pytest.mark.spark
def test_a_bad_line_is_named_with_its_file(folder: Folder) -> None:
    folder.write("bad.json", '{"n":1}', '{"n":"x"}')
    with pytest.raises(DataError, match=r"bad\.json") as caught:
        folder.run(copy("n INT"))
    assert caught.value.code == "BAD_LINE"
    assert folder.visible() == []


def test_options_are_understood() -> None:
    target = target_of("'path' = '/x', 'auto-compaction' = 'true', 'sink.parallelism' = '3'")
    assert (target.path, target.partitions, target.one_file, target.tasks) == (
        "/x",
        ("k",),
        True,
        3,
    )
    assert target.commit is None
    commit = target_of(
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
        target_of(options)
    assert says in str(caught.value)
    assert caught.value.span is not None


@pytest.mark.spark
def test_a_folder_that_is_not_there(folder: Folder) -> None:
    with pytest.raises(OptionError, match="a file or folder that is there"):
        folder.run(copy("n INT"))
