"""`penstock doctor`: what it finds on a machine, and what it says to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.cli.doctor import run_checks, run_doctor

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def fresh_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_CACHE", str(tmp_path / "cache [1]"))
    monkeypatch.setenv("PENSTOCK_BROKER_DIR", str(tmp_path / "broker"))
    monkeypatch.setenv("COLUMNS", "80")


def test_what_is_missing_is_said_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    assert run_doctor() == 3
    shown = capsys.readouterr().out
    assert "/nowhere/bin/java (from JAVA_HOME) does not run" in shown
    assert "→ Install a Java 17 or newer" in shown
    assert "Penstock cannot run jobs here: Java" in shown
    assert "cache [1]" in shown, "brackets are not markup"
    assert max(len(line) for line in shown.splitlines()) <= 80


def test_jars_that_are_fetched_on_first_use_are_only_a_warning() -> None:
    states = {check.name: check.state for check in run_checks()}
    assert states["Spark's jars"] == states["broker's jars"] == "warn"
    assert states["Spark"] == states["Python"] == states["loopback port"] == "ok"


def test_all_is_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    jar = tmp_path / "penstock-jvm.jar"
    jar.touch()
    monkeypatch.setattr("penstock.jars.module._JAR", jar)
    assert run_doctor() == 0
    assert "Penstock can run jobs here." in capsys.readouterr().out
