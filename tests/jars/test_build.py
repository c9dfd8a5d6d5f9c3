"""`jvm/build.py`: when the Java module is built, and what is said where it cannot be."""

from __future__ import annotations

import runpy
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

SCRIPT = Path(__file__).parents[2] / "jvm" / "build.py"

HELLO = """
package penstock.probe;

import org.apache.spark.sql.api.java.UDF1;

public final class Hello implements UDF1<String, String> {
    private static final long serialVersionUID = 1L;

    @Override
    public String call(String name) {
        return "%s " + name;
    }
}
"""


@pytest.fixture
def module() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


@pytest.fixture
def build(module: dict[str, Any], tmp_path: Path) -> Callable[[], bool]:
    source = tmp_path / "src"
    service = source / "META-INF" / "services" / "org.apache.spark.sql.api.java.UDF1"
    service.parent.mkdir(parents=True)
    service.write_text("penstock.probe.Hello\n")
    write_hello(tmp_path, "hello")
    return lambda: module["build"](sources=source, jar=tmp_path / "probe.jar")


def write_hello(tmp_path: Path, greeting: str) -> None:
    hello = tmp_path / "src" / "penstock" / "probe" / "Hello.java"
    hello.parent.mkdir(parents=True, exist_ok=True)
    hello.write_text(HELLO % greeting)


@pytest.mark.spark
def test_built_once_and_again_when_a_source_changes(
    build: Callable[[], bool], tmp_path: Path
) -> None:
    jar = tmp_path / "probe.jar"
    assert build()
    first = jar.read_bytes()
    with zipfile.ZipFile(jar) as content:
        assert content.namelist() == [
            "META-INF/MANIFEST.MF",
            "META-INF/services/org.apache.spark.sql.api.java.UDF1",
            "penstock/probe/Hello.class",
        ]

    assert not build()

    write_hello(tmp_path, "good day")
    assert build()
    assert jar.read_bytes() != first

    write_hello(tmp_path, "hello")
    assert build()
    assert jar.read_bytes() == first, "the same sources give the same bytes"


@pytest.mark.spark
def test_a_source_that_does_not_compile_leaves_the_old_jar(
    build: Callable[[], bool],
    module: dict[str, Any],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    jar = tmp_path / "probe.jar"
    jar.write_bytes(b"of an earlier build")
    write_hello(tmp_path, 'oops" + 1 / ')
    with pytest.raises(module["BuildError"], match="does not compile"):
        build()
    assert "Hello.java" in capfd.readouterr().err
    assert jar.read_bytes() == b"of an earlier build"
    assert list(tmp_path.glob("*.partial")) == []


def test_another_pyspark_is_another_build(
    build: Callable[[], bool], module: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = SimpleNamespace(version="4.2.0")
    monkeypatch.setitem(module["build"].__globals__, "_pyspark", lambda: installed)
    monkeypatch.setitem(module["build"].__globals__, "_compile", lambda sources, into: None)
    assert build()
    assert not build()
    installed.version = "4.2.1"
    assert build()


def test_without_a_compiler_the_advice_is_given(
    build: Callable[[], bool], module: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(module["BuildError"], match="Install a JDK 17 or newer"):
        build()


def test_an_old_compiler_is_refused(
    build: Callable[[], bool],
    module: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    javac = tmp_path / "jdk" / "bin" / "javac"
    javac.parent.mkdir(parents=True)
    javac.write_text("#!/bin/sh\necho 'javac 1.8.0_412' >&2\n")
    javac.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "jdk"))
    with pytest.raises(module["BuildError"], match="javac is of version 8"):
        build()


def test_the_script_imports_no_penstock() -> None:
    """A wheel is built where Penstock's dependencies are absent."""
    code = f"import runpy, sys; runpy.run_path({str(SCRIPT)!r}); print('penstock' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert answer.stdout.strip() == "False"
