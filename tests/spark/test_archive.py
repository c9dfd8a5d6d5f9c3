"""The archive of loaded classes: made once by one process, used by those that come after."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.jars.java import find_java
from penstock.spark.archive import ClassArchive
from tests.helpers import wait_until


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ClassArchive:
    monkeypatch.setenv("PENSTOCK_CACHE", str(tmp_path))
    return ClassArchive.of("java", [Path(__file__)])


def gone() -> int:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


def run_java(*flags: str) -> subprocess.Popen[str]:
    command = [find_java().path, *flags, "-version"]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def test_what_one_process_loads_is_archived_for_the_next_ones(archive: ClassArchive) -> None:
    [note, _] = archive.flags()
    assert note.startswith("-XX:DumpLoadedClassList=")
    assert archive.flags() == [], "another process is to make it"
    first = run_java(note)
    archive.make_after(first.pid, find_java().path, "")
    assert archive.flags() == [], "it is being made"
    first.communicate()
    wait_until(lambda: bool(archive.flags()), timeout_s=60)
    [use, _] = archive.flags()
    _, said = run_java(use, "-Xshare:on").communicate()
    assert "sharing" in said, "Java maps it"
    left = {path.suffix for path in archive.folder.glob(f"{archive.key}.*")}
    assert left <= {".jsa", ".maker"}


def test_where_its_maker_is_gone_it_is_made_again(archive: ClassArchive) -> None:
    first = archive.flags()
    (archive.folder / f"{archive.key}.maker").write_text(str(gone()))
    assert archive.flags() == first


def test_another_jar_has_another_archive(archive: ClassArchive, tmp_path: Path) -> None:
    jar = tmp_path / "a.jar"
    jar.write_bytes(b"1")
    first = ClassArchive.of("java", [jar])
    jar.write_bytes(b"12")
    assert len({archive.key, first.key, ClassArchive.of("java", [jar]).key}) == 3


def test_few_are_kept(archive: ClassArchive) -> None:
    archive.folder.mkdir()
    for age, name in enumerate(("a", "b", "c")):
        former = archive.folder / f"{name}.jsa"
        former.touch()
        os.utime(former, (age, age))
    archive.flags()
    assert {path.name for path in archive.folder.glob("*.jsa")} == {"c.jsa"}


def test_a_cache_that_cannot_be_written_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PENSTOCK_CACHE", str(tmp_path / "file"))
    assert ClassArchive.of("java", []).flags() == []
