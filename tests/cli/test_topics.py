"""`penstock broker`, `topics`, `produce` and `consume`, as a shell sees them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from penstock.kafka import broker as embedded
from penstock.kafka.record import Record
from penstock.kafka.records import produce

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from penstock.kafka.broker import BrokerStatus

    MakeTopic = Callable[..., str]
    Penstock = Callable[..., subprocess.CompletedProcess[str]]

pytestmark = pytest.mark.kafka

_COMMAND = [sys.executable, "-c", "from penstock.cli.main import main; main()"]


@pytest.fixture
def penstock(broker: BrokerStatus, tmp_path: Path) -> Penstock:
    """Runs a command against the broker of the test run; `stdin` is its input."""

    def run(*arguments: str, stdin: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        defaults = {
            "PENSTOCK_BOOTSTRAP": broker.address,
            "PENSTOCK_BROKER_DIR": str(tmp_path / "none"),
        }
        environment = {**os.environ, **defaults, **more}
        return subprocess.run(
            [*_COMMAND, *arguments],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            env=environment,
            timeout=60,
        )

    return run


def test_topics_are_created_listed_described_and_deleted(penstock: Penstock) -> None:
    done = penstock("topics", "create", "cli_a", "cli_b", "-p", "2", "--config", "retention.ms=-1")
    assert (done.returncode, done.stdout) == (0, "")
    penstock("produce", "cli_a", stdin="1\n2\n3\n")
    listed = {row["topic"]: row for row in json.loads(penstock("topics", "--json").stdout)}
    assert listed["cli_a"] == {"topic": "cli_a", "partitions": 2, "messages": 3}
    assert not any(name.startswith("__") for name in listed)
    table = penstock("topics").stdout
    assert ["cli_a", "2", "3"] in [line.split() for line in table.splitlines()]
    described = json.loads(penstock("topics", "describe", "cli_a", "--json").stdout)
    assert [row["partition"] for row in described] == [0, 1]
    assert sum(row["messages"] for row in described) == 3
    assert penstock("topics", "create", "cli_a").returncode == 3
    assert penstock("topics", "create", "cli_a", "--if-not-exists").returncode == 0
    assert penstock("topics", "delete", "cli_a", "cli_b").returncode == 0
    assert penstock("topics", "delete", "cli_a").returncode == 3
    assert penstock("topics", "delete", "cli_a", "--if-exists").returncode == 0


def test_lines_go_in_and_come_out(penstock: Penstock, topic: MakeTopic, tmp_path: Path) -> None:
    name = topic()
    given = '{"id": 1, "name": "ü"}\n{"id": 2}\n'
    sent = penstock("produce", name, "--key-field", "id", stdin=given)
    assert (sent.stdout, sent.stderr) == ("", f"2 messages sent to '{name}'.\n")
    (tmp_path / "more.jsonl").write_text("k|3\n")
    penstock("produce", name, "--file", str(tmp_path / "more.jsonl"), "--key-separator", "|")
    everything = penstock("consume", name, "--from-beginning", "--until-end")
    assert (everything.stdout, everything.stderr) == (f"{given}3\n", "")
    two = penstock("consume", name, "--from-beginning", "--max", "2", "--keys").stdout
    assert [json.loads(line)["key"] for line in two.splitlines()] == ["1", "2"]
    assert penstock("consume", name, "--timeout", "0.5").stdout == ""


def test_what_consume_prints_produce_takes(penstock: Penstock, topic: MakeTopic) -> None:
    name, copy = topic(), topic()
    envelopes = [
        {"key": "k", "value": "text", "headers": {"h": "1"}, "partition": 0, "timestamp": 5},
        {"key": {"id": 1}, "value": {"a": [1.50, None]}, "timestamp": 6},
        {"key": "gone", "value": None, "timestamp": 7},
        {"key": None, "value": {"$base64": "/wA="}, "timestamp": 8},
    ]
    lines = "".join(f"{json.dumps(envelope)}\n" for envelope in envelopes)
    assert penstock("produce", name, "--envelope", stdin=lines).returncode == 0
    printed = penstock("consume", name, "--from-beginning", "--until-end", "--envelope").stdout
    rows = [json.loads(line) for line in printed.splitlines()]
    assert [row["key"] for row in rows] == ["k", '{"id":1}', "gone", None]
    values = ["text", '{"a":[1.5,null]}', None, {"$base64": "/wA="}]
    assert [row["value"] for row in rows] == values
    assert [row["timestamp"] for row in rows] == [5, 6, 7, 8]
    assert rows[0]["headers"] == {"h": "1"}
    penstock("produce", copy, "--envelope", stdin=printed)
    again = penstock("consume", copy, "--from-beginning", "--until-end", "--envelope").stdout
    assert again == printed


def test_a_tombstone_is_seen(penstock: Penstock, topic: MakeTopic) -> None:
    name = topic()
    penstock("produce", name, "--envelope", stdin='{"key": "k1", "value": null}\n')
    plain = penstock("consume", name, "--from-beginning", "--until-end").stdout
    assert plain == "<tombstone key=k1>\n"


def test_a_group_goes_on(penstock: Penstock, topic: MakeTopic) -> None:
    name = topic()
    penstock("produce", name, stdin="1\n2\n3\n")
    reading = ("consume", name, "--from-beginning", "--group", name)
    assert penstock(*reading, "--max", "1").stdout == "1\n"
    assert penstock(*reading, "--until-end").stdout == "2\n3\n"


def test_only_produce_creates_a_topic_and_says_so(penstock: Penstock) -> None:
    missing = penstock("consume", "cli_new", "--from-beginning")
    assert (missing.returncode, missing.stdout) == (3, "")
    assert "'cli_new' does not exist" in missing.stderr
    assert "was created" in penstock("produce", "cli_new", stdin="1\n").stderr
    near = penstock("consume", "cli_neu")
    assert near.returncode == 3
    assert "Did you mean 'cli_new'?" in near.stderr


def test_wrong_input_and_wrong_flags_are_named(penstock: Penstock, topic: MakeTopic) -> None:
    wrong = penstock("produce", topic(), "--envelope", stdin='{"value": 1}\n{"key": 2}\n')
    assert wrong.returncode == 1
    assert "Line 2 of standard input" in wrong.stderr
    both = penstock("produce", "t", "--envelope", "--key-field", "id")
    assert both.returncode == 2
    assert penstock("topics", "create", "t", "--config", "x").returncode == 2


def _heed_ctrl_c() -> None:
    """A shell starts what it puts in the background with Ctrl-C ignored, and we inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def follower(broker: BrokerStatus, topic: MakeTopic) -> Iterator[subprocess.Popen[str]]:
    """`penstock consume` on a topic of many lines, of which it has printed the first."""
    name = topic()
    produce({"bootstrap.servers": broker.address}, name, [Record(b"line")] * 50_000)
    command = [*_COMMAND, "consume", name, "--from-beginning", "--bootstrap", broker.address]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=_heed_ctrl_c, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "line\n"
        yield process
        process.kill()


def test_ctrl_c_ends_a_follower_quietly(follower: subprocess.Popen[str]) -> None:
    follower.send_signal(signal.SIGINT)
    _, err = follower.communicate(timeout=20)
    assert (follower.returncode, err) == (0, "")


def test_a_reader_that_leaves_early_is_no_error(follower: subprocess.Popen[str]) -> None:
    assert follower.stdout is not None
    assert follower.stderr is not None
    follower.stdout.close()
    assert follower.wait(timeout=20) == 0
    assert follower.stderr.read() == ""


def test_without_a_broker_the_way_to_one_is_told(penstock: Penstock, tmp_path: Path) -> None:
    lost = penstock("topics", PENSTOCK_BOOTSTRAP="")
    assert lost.returncode == 3
    assert "penstock broker start" in lost.stderr
    status = penstock("broker", "status", "--dir", str(tmp_path))
    assert (status.returncode, status.stdout) == (1, "")
    assert json.loads(penstock("broker", "status", "--json").stdout) == {"running": False}
    assert penstock("broker", "stop").returncode == 0


def test_the_embedded_broker_is_found_by_itself(penstock: Penstock, tmp_path: Path) -> None:
    home = {"PENSTOCK_BOOTSTRAP": "", "PENSTOCK_BROKER_DIR": str(tmp_path / "broker")}
    try:
        started = penstock("broker", "start", **home)
        assert started.returncode == 0
        address = started.stdout.strip()
        assert penstock("broker", "start", **home).stdout.strip() == address
        assert penstock("broker", "status", **home).stdout.strip() == address
        facts = json.loads(penstock("broker", "status", "--json", **home).stdout)
        assert (facts["running"], facts["address"]) == (True, address)
        penstock("produce", "mine", stdin="1\n", **home)
        read = penstock("consume", "mine", "--from-beginning", "--until-end", **home)
        assert read.stdout == "1\n"
        assert penstock("broker", "stop", **home).returncode == 0
        assert penstock("broker", "status", **home).returncode == 1
    finally:
        embedded.stop(tmp_path / "broker")
