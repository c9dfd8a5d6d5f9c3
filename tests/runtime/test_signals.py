"""What the processes of one warehouse tell each other."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from penstock.errors import RunError
from penstock.jars.processes import identity
from penstock.runtime import signals, state
from penstock.runtime.signals import ChangeLock, Commands, Signals
from penstock.spark.kept import keep, read_kept

if TYPE_CHECKING:
    from pathlib import Path


def _gone() -> str:
    """The identity of a process that has ended."""
    code = "import os; from penstock.jars.processes import identity; print(identity(os.getpid()))"
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_what_a_process_says_is_void_once_it_is_gone(tmp_path: Path) -> None:
    told = Signals(tmp_path)
    assert (told.held(), told.served()) == (frozenset(), None)
    told.hold(["v", "w"])
    told.serve(["x"], 3)
    served = told.served()
    assert told.held() == {"v", "w"}
    assert served
    assert (served.views, served.done) == ({"x"}, 3)
    for name in ("held.json", "served.json"):
        keep(tmp_path / name, {**read_kept(tmp_path / name), "process": _gone()})
    assert (told.held(), told.served()) == (frozenset(), None)


def test_who_changes_waits_until_views_are_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = Signals(tmp_path)
    told.await_stopped(["v"])
    told.serve(["v", "w"], 0)
    monkeypatch.setattr(signals, "STOPPED_WITHIN_S", 0.2)
    with pytest.raises(RunError, match="did not let go of its views"):
        told.await_stopped(["v"])
    monkeypatch.setattr(signals, "STOPPED_WITHIN_S", 60)
    later = threading.Timer(0.2, lambda: told.serve(["w"], 0))
    later.start()
    told.await_stopped(["v"])
    later.join()


def test_who_changes_waits_for_the_spark_of_a_killed_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be in the middle of a batch, which it still commits."""
    orphan = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    told = Signals(tmp_path)
    try:
        (tmp_path / "lock").write_text(f"{_gone().split()[0]}\n{identity(orphan.pid)}")
        monkeypatch.setattr(state, "_JVM_END_S", 0.2)
        with pytest.raises(RunError, match="has not ended") as caught:
            told.await_stopped(["v"])
        assert (caught.value.code, caught.value.facts["pid"]) == ("WAREHOUSE_BUSY", str(orphan.pid))
        monkeypatch.setattr(state, "_JVM_END_S", 60)
        with (tmp_path / "lock").open() as held:
            # Somebody is about to serve, and has not said so yet: it is its Spark.
            fcntl.flock(held, fcntl.LOCK_EX)
            told.await_stopped(["v"])
        later = threading.Timer(0.2, lambda: orphan.communicate(b"\n"))
        later.start()
        told.await_stopped(["v"])
        later.join()
    finally:
        orphan.kill()
        orphan.wait()


def test_commands_are_for_the_process_that_runs_views(tmp_path: Path) -> None:
    told = Signals(tmp_path)
    assert not told.command("STOP", ["q"])
    told.serve([], 1)
    assert told.command("STOP", ["q", "r"])
    assert told.commands().stopped == {"q", "r"}
    keep(tmp_path / "commands.json", {**read_kept(tmp_path / "commands.json"), "process": "1 0"})
    assert told.commands() == Commands()


def test_the_last_word_counts() -> None:
    said = Commands()
    for verb, tables in (("STOP", "qr"), ("PAUSE", "q"), ("REFRESH", "q"), ("START", "r")):
        said = said.after(verb, tables)
    assert (said.stopped, said.paused, said.number) == (frozenset(), {"q"}, 4)
    assert said.once == {"q": {"REFRESH": 3}}
    assert said.moved({"q": ""}) == Commands(4)


def test_one_at_a_time_changes_definitions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ChangeLock(tmp_path / "w")
    monkeypatch.setattr(signals, "STOPPED_WITHIN_S", 0.2)
    with pytest.raises(RunError, match="has been changing it") as caught:
        ChangeLock(tmp_path / "w")
    assert caught.value.code == "WAREHOUSE_BUSY"
    first.release()
    ChangeLock(tmp_path / "w").release()


def test_only_its_own_views_are_let_go(tmp_path: Path) -> None:
    """And before another one may hold some."""
    told, lock = Signals(tmp_path), ChangeLock(tmp_path)
    told.hold(["v"])
    lock.release()
    assert told.held() == frozenset()
    told.hold(["v"])
    other = identity(os.getppid())
    keep(tmp_path / "held.json", {**read_kept(tmp_path / "held.json"), "process": other})
    told.release()
    ChangeLock(tmp_path).release()
    assert told.held() == {"v"}


def test_views_stand_still_while_the_spark_of_a_killed_statement_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = Signals(tmp_path)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as orphan:
        told.hold(["v"], orphan.pid)
        keep(tmp_path / "held.json", {**read_kept(tmp_path / "held.json"), "process": _gone()})
        assert told.held() == {"v"}
        monkeypatch.setattr(state, "_JVM_END_S", 0.1)
        with pytest.raises(RunError, match="has not ended"):
            told.hold(["w"])
        orphan.communicate(b"\n")
    assert told.held() == frozenset()
    told.hold(["w"])
    assert told.held() == {"w"}
