"""The embedded broker: started once per folder, never left behind, never lost."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from penstock.errors import KafkaError
from penstock.kafka import admin, broker
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from tests.helpers import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.kafka

_START = """
import os, sys
from pathlib import Path
from penstock.kafka.broker import start
owner_pid = os.getpid() if sys.argv[2] == "owned" else None
print(start(Path(sys.argv[1]), owner_pid=owner_pid).pid, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A broker's folder with an awkward name; whatever runs there is stopped after the test."""
    folder = tmp_path / "a broker, with = and ü"
    yield folder
    broker.stop(folder)


@pytest.fixture
def launch(folder: Path) -> Iterator[Callable[[str], subprocess.Popen[str]]]:
    """Starts the broker from another process, which then waits."""
    started: list[subprocess.Popen[str]] = []

    def launch(kind: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", _START, str(folder), kind]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        started.append(process)
        return process

    yield launch
    for process in started:
        process.kill()
        process.communicate()


def _start(folder: Path, *, port: int | None = None) -> broker.BrokerStatus:
    """A broker that ends with the test run, should that be killed."""
    return broker.start(folder, port=port, owner_pid=os.getpid())


def _pid(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    return int(process.stdout.readline())


def _is_gone(folder: Path) -> Callable[[], bool]:
    return lambda: broker.status(folder) is None


def test_start_is_idempotent_and_stop_too(folder: Path) -> None:
    first = _start(folder)
    assert admin.list_topics({"bootstrap.servers": first.address}) == ()
    assert _start(folder) == first == broker.status(folder)
    with pytest.raises(KafkaError, match=re.escape(first.address)) as caught:
        _start(folder, port=1)
    assert caught.value.code == "BROKER_RUNNING_ELSEWHERE"
    assert broker.stop(folder) is True
    assert broker.stop(folder) is False
    assert broker.status(folder) is None


def test_a_restart_keeps_the_port_the_messages_and_the_offsets(folder: Path) -> None:
    properties = {"bootstrap.servers": _start(folder).address}
    produce(properties, "orders", [Record(b"1", key=b"a"), Record(b"2", key=b"b")])
    first = next(iter(consume(properties, "orders", from_beginning=True)))
    where = next(iter(admin.end_offsets(properties, ["orders"])))
    admin.commit_offsets(properties, "readers", offsets={where: 1})
    broker.stop(folder)
    assert _start(folder).address == properties["bootstrap.servers"]
    again = list(consume(properties, "orders", from_beginning=True, until_end=True))
    assert [record.value for record in again] == [b"1", b"2"]
    assert again[0] == first
    assert admin.committed_offsets(properties, "readers") == {where: 1}


def test_a_broker_killed_hard_comes_back_with_its_messages(folder: Path) -> None:
    running = _start(folder)
    properties = {"bootstrap.servers": running.address}
    produce(properties, "orders", [Record(b"1")])
    os.kill(running.pid, signal.SIGKILL)
    wait_until(_is_gone(folder))
    _start(folder)
    values = [r.value for r in consume(properties, "orders", from_beginning=True, until_end=True)]
    assert values == [b"1"]


def test_two_starts_at_once_give_one_broker(
    folder: Path, launch: Callable[[str], subprocess.Popen[str]]
) -> None:
    one, other = launch("free"), launch("free")
    assert _pid(one) == _pid(other)


def test_a_broker_ends_with_its_last_owner_even_by_sigkill(
    folder: Path, launch: Callable[[str], subprocess.Popen[str]]
) -> None:
    first, second = launch("owned"), launch("owned")
    assert _pid(first) == _pid(second)
    first.kill()
    first.wait()
    assert broker.start(folder, owner_pid=second.pid).pid == _running_pid(folder)
    second.kill()  # not waited for: a zombie is dead, too
    wait_until(_is_gone(folder), timeout_s=15)


def test_a_start_without_owner_keeps_an_owned_broker(
    folder: Path, launch: Callable[[str], subprocess.Popen[str]]
) -> None:
    owner = launch("owned")
    pid = _pid(owner)
    assert broker.start(folder).pid == pid
    owner.kill()
    owner.wait()
    assert broker.start(folder, owner_pid=os.getpid()).pid == pid
    assert not (folder / "owners").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="needs the kernel's parent death signal")
def test_a_broker_does_not_outlive_its_watchdog(folder: Path) -> None:
    running = broker.start(folder, owner_pid=os.getpid())
    fields = Path(f"/proc/{running.pid}/stat").read_text().rpartition(")")[2].split()
    watchdog = int(fields[1])
    os.kill(watchdog, signal.SIGKILL)
    wait_until(_is_gone(folder), timeout_s=15)


def test_a_process_id_that_is_someone_elses_by_now_is_no_broker(folder: Path) -> None:
    folder.mkdir()
    state = {"pid": os.getpid(), "port": 20001, "started_at": 0.0}
    (folder / "broker.json").write_text(json.dumps(state))
    assert broker.status(folder) is None
    assert broker.stop(folder) is False
    assert _start(folder).pid != os.getpid()


def test_a_taken_port_is_named(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(KafkaError, match=f"port {port}: address already in use") as caught:
            _start(folder, port=port)
    assert caught.value.code == "PORT_TAKEN"


def test_a_chosen_port_is_used(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    assert _start(folder, port=port).address == f"127.0.0.1:{port}"


def test_a_broker_that_dies_while_starting_says_why(folder: Path) -> None:
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "meta.properties").write_text("version=1\nnode.id=7\ncluster.id=x\n")
    with pytest.raises(KafkaError) as caught:
        _start(folder)
    assert caught.value.code == "BROKER_FAILED"
    assert "node" in str(caught.value.facts["reason"])
    assert str(folder / "broker.log") in str(caught.value)
    assert broker.status(folder) is None


def test_a_folder_that_cannot_be_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(KafkaError) as caught:
        broker.start(tmp_path / "file" / "broker")
    assert caught.value.code == "BROKER_FOLDER_UNUSABLE"
    assert broker.stop(tmp_path / "nowhere") is False


def test_the_default_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PENSTOCK_BROKER_DIR", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert broker.default_directory() == tmp_path / "penstock" / "broker"
    monkeypatch.setenv("PENSTOCK_BROKER_DIR", str(tmp_path / "mine"))
    assert broker.default_directory() == tmp_path / "mine"


def _running_pid(folder: Path) -> int:
    running = broker.status(folder)
    assert running is not None
    return running.pid
