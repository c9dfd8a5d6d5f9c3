"""Where Java and its compiler are looked for, and which are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.errors import SetupError
from penstock.jars.java import find_java

if TYPE_CHECKING:
    from pathlib import Path

OPENJDK_17 = 'openjdk version "17.0.15" 2025-04-15'


def fake_java(folder: Path, script: str) -> Path:
    java = folder / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\n{script}\n")
    java.chmod(0o755)
    return java


def says(version_line: str) -> str:
    return f"echo '{version_line}' >&2"


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path


def test_no_java_at_all(on_path: Path) -> None:
    with pytest.raises(SetupError) as raised:
        find_java()
    assert raised.value.code == "JAVA_MISSING"


@pytest.mark.parametrize(
    ("version_line", "version"),
    [
        (OPENJDK_17, 17),
        ('java version "21" 2023-09-19 LTS', 21),
        ('openjdk version "26-ea" 2026-03-17', 26),
        ('Picked up JAVA_TOOL_OPTIONS: -Dx=y\nopenjdk version "17.0.1" 2021-10-19', 17),
    ],
)
def test_version_is_read(on_path: Path, version_line: str, version: int) -> None:
    java = fake_java(on_path, says(version_line))
    found = find_java()
    assert (found.path, found.version, found.javac) == (java, version, None)


@pytest.mark.parametrize(
    ("version_line", "version"),
    [('java version "1.8.0_412"', 8), ('openjdk version "11.0.2" 2019-01-15', 11)],
)
def test_old_java_is_refused(on_path: Path, version_line: str, version: int) -> None:
    java = fake_java(on_path, says(version_line))
    with pytest.raises(SetupError) as raised:
        find_java()
    assert raised.value.code == "JAVA_TOO_OLD"
    assert f"{java} is Java {version}; Java 17" in str(raised.value)


def test_java_home_goes_before_path(
    on_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_java(on_path, says('java version "1.8.0"'))
    home = tmp_path / "home"
    java = fake_java(home, says(OPENJDK_17))
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert find_java().path == java


def test_an_empty_java_home_is_none(on_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java = fake_java(on_path, says(OPENJDK_17))
    monkeypatch.setenv("JAVA_HOME", "")
    assert find_java().path == java


def test_compiler_of_a_linked_java_is_found(on_path: Path, tmp_path: Path) -> None:
    java = fake_java(tmp_path / "jdk", says(OPENJDK_17))
    javac = java.with_name("javac")
    javac.write_text("#!/bin/sh\n")
    javac.chmod(0o755)
    (on_path / "bin").mkdir()
    (on_path / "bin" / "java").symlink_to(java)
    assert find_java().javac == javac


def test_java_home_without_java(
    on_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_java(on_path, says(OPENJDK_17))
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "gone"))
    with pytest.raises(SetupError) as raised:
        find_java()
    assert raised.value.code == "JAVA_BROKEN"
    assert "gone/bin/java (from JAVA_HOME) does not run: No such file" in str(raised.value)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo 'Unable to locate a Java Runtime.' >&2; exit 1", "Unable to locate a Java Runtime."),
        ("exit 7", "`java -version` ended with 7."),
    ],
)
def test_java_that_does_not_run(on_path: Path, script: str, reason: str) -> None:
    fake_java(on_path, script)
    with pytest.raises(SetupError) as raised:
        find_java()
    assert raised.value.code == "JAVA_BROKEN"
    assert reason in str(raised.value)


def test_java_that_may_not_be_executed(on_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java = fake_java(on_path, says(OPENJDK_17))
    java.chmod(0o644)
    monkeypatch.setenv("JAVA_HOME", str(on_path))
    with pytest.raises(SetupError) as raised:
        find_java()
    assert raised.value.code == "JAVA_BROKEN"
    assert "Permission denied" in str(raised.value)
