"""The archive of loaded classes: made once by one process, used by those that come after."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.spark.archive import ClassArchive


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ClassArchive:
    monkeypatch.setenv("PENSTOCK_CACHE", str(tmp_path))
    return ClassArchive.of("java", [Path(__file__)])


def gone() -> int:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


def test_one_process_makes_it_and_the_next_ones_use_it(archive: ClassArchive) -> None:
    [make, _] = archive.flags()
    new = Path(make.removeprefix("-XX:ArchiveClassesAtExit="))
    archive.made_by(gone())
    assert archive.flags()[0] == make, "its maker ended without a word"
    assert archive.flags() == [], "the one that is to make it runs"
    archive.made_by(gone())
    new.write_bytes(b"classes")
    [use, _] = archive.flags()
    ready = Path(use.removeprefix("-XX:SharedArchiveFile="))
    assert (ready.read_bytes(), new.exists()) == (b"classes", False)
    assert archive.flags()[0] == use


def test_another_jar_has_another_archive(archive: ClassArchive, tmp_path: Path) -> None:
    jar = tmp_path / "a.jar"
    jar.write_bytes(b"1")
    first = ClassArchive.of("java", [jar])
    jar.write_bytes(b"12")
    assert len({archive.key, first.key, ClassArchive.of("java", [jar]).key}) == 3


def test_few_are_kept(archive: ClassArchive) -> None:
    archive.flags()
    for age, name in enumerate(("a", "b", "c")):
        former = archive.folder / f"{name}.jsa"
        former.touch()
        os.utime(former, (age, age))
    archive.made_by(gone())
    (archive.folder / f"{archive.key}.new").touch()
    archive.flags()
    kept = {path.name for path in archive.folder.glob("*.jsa")}
    assert kept == {"c.jsa", f"{archive.key}.jsa"}


def test_a_cache_that_cannot_be_written_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PENSTOCK_CACHE", str(tmp_path / "file"))
    assert ClassArchive.of("java", []).flags() == []
