"""`penstock run` as a process on the real broker: draining, stopping, crashing, refusing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from penstock.kafka import admin
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from tests.helpers import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from penstock.kafka.broker import BrokerStatus

pytestmark = pytest.mark.kafka

_START_LIMIT_S = 240
SCRIPT = """
CREATE TABLE numbers (n BIGINT, word STRING) WITH (
  'connector' = 'kafka',
  'topic' = '{source}',
  'properties.bootstrap.servers' = '<yourKafkaBrokers>',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE copies (n BIGINT, word STRING) WITH (
  'connector' = 'kafka',
  'topic' = '{sink}',
  'properties.bootstrap.servers' = '<yourKafkaBrokers>',
  'format' = 'json'
);
INSERT INTO copies SELECT n, word FROM numbers WHERE n >= 0;
"""


class Pipeline:
    """A script between two fresh topics, run as a process."""

    def __init__(self, folder: Path, address: str, source: str, sink: str) -> None:
        self.script = folder / "numbers.sql"
        self.script.write_text(SCRIPT.format(source=source, sink=sink))
        self.source, self.sink = source, sink
        self.address = address
        self.properties = {"bootstrap.servers": address}
        self.processes: list[subprocess.Popen[str]] = []

    def send(self, numbers: range) -> None:
        records = [Record(json.dumps({"n": n, "word": f"w{n}"}).encode()) for n in numbers]
        produce(self.properties, self.source, records)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "penstock", "run", str(self.script)]
        process = subprocess.Popen(
            [*command, "--bootstrap", self.address, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.processes.append(process)
        return process

    def run(self, *arguments: str) -> tuple[int, str]:
        process = self.start(*arguments)
        _, said = process.communicate(timeout=_START_LIMIT_S)
        return process.returncode, " ".join(said.split())

    def output(self) -> list[int]:
        records = consume(self.properties, self.sink, from_beginning=True, until_end=True)
        return [json.loads(record.value or b"")["n"] for record in records]

    def written(self) -> int:
        return sum(admin.end_offsets(self.properties, [self.sink]).values())


@pytest.fixture
def pipeline(broker: BrokerStatus, topic: Callable[..., str], tmp_path: Path) -> Iterator[Pipeline]:
    made = Pipeline(tmp_path, broker.address, topic("numbers", partitions=2), topic("copies"))
    yield made
    for process in made.processes:
        process.kill()
        process.communicate()


def test_drains_what_is_there_and_continues_later(pipeline: Pipeline) -> None:
    pipeline.send(range(500))
    code, said = pipeline.run("--drain")
    assert code == 0, said
    assert "copies: 500 rows in, 500 rows out" in said
    pipeline.send(range(500, 600))
    code, said = pipeline.run("--drain")
    assert code == 0, said
    assert "continuing from its checkpoint" in said
    assert sorted(pipeline.output()) == list(range(600))


def test_sigterm_ends_cleanly_and_one_job_runs_once(pipeline: Pipeline) -> None:
    pipeline.send(range(100))
    running = pipeline.start()
    wait_until(lambda: pipeline.written() >= 100, timeout_s=_START_LIMIT_S)
    code, said = pipeline.run("--drain")
    assert code == 1
    assert f"The job 'numbers' is running already (process {running.pid})" in said
    # To the whole group, as a service manager or `timeout` sends it.
    os.killpg(running.pid, signal.SIGTERM)
    _, said = running.communicate(timeout=_START_LIMIT_S)
    assert running.returncode == 0, said
    assert "numbers: stopped after" in said
    assert sorted(pipeline.output()) == list(range(100))


def test_after_kill_9_nothing_is_lost(pipeline: Pipeline) -> None:
    pipeline.send(range(3000))
    running = pipeline.start("--set", "penstock.max-offsets-per-batch=200")
    wait_until(lambda: pipeline.written() >= 600, timeout_s=_START_LIMIT_S)
    running.send_signal(signal.SIGKILL)
    running.communicate()
    assert pipeline.written() < 3000
    pipeline.send(range(3000, 3100))
    code, said = pipeline.run("--drain")
    assert code == 0, said
    found = pipeline.output()
    assert set(found) == set(range(3100))
    # At least once: only the batch that was being written may come again.
    assert len(found) <= 3100 + 200


def test_a_bad_message_stops_the_job_and_is_met_again(pipeline: Pipeline) -> None:
    pipeline.send(range(3))
    produce(pipeline.properties, pipeline.source, [Record(b'{"n": "many"}', partition=1)])
    for _ in range(2):
        code, said = pipeline.run("--drain")
        assert code == 1
        assert "error[BAD_MESSAGE]" in said
        assert f"'{pipeline.source}' (partition 1, offset " in said
        assert "field `n`" in said
        assert "Traceback" not in said
        assert "\tat org.apache" not in said


def test_passwords_stay_out_of_everything_that_is_kept(pipeline: Pipeline) -> None:
    text = pipeline.script.read_text()
    secret = "'properties.sasl.jaas.config' = 'Login required password=\"hunter2\";', 'format'"
    pipeline.script.write_text(text.replace("'format'", secret))
    pipeline.send(range(3))
    produce(pipeline.properties, pipeline.source, [Record(b"broken")])
    code, said = pipeline.run("--drain")
    assert (code, "hunter2" in said) == (1, False)
    kept = [path for path in (pipeline.script.parent / ".penstock").rglob("*") if path.is_file()]
    assert kept
    assert not [path for path in kept if b"hunter2" in path.read_bytes()]


def test_an_unreachable_broker_is_named_in_time(pipeline: Pipeline) -> None:
    pipeline.address = "127.0.0.1:1"
    began = time.monotonic()
    code, said = pipeline.run("--drain")
    assert time.monotonic() - began < 15
    assert code == 3
    assert "error[BROKER_UNREACHABLE]" in said
    assert "127.0.0.1:1" in said


def test_a_missing_source_topic_is_named(pipeline: Pipeline) -> None:
    text = pipeline.script.read_text()
    pipeline.script.write_text(text.replace(pipeline.source, pipeline.source + "x"))
    code, said = pipeline.run("--drain")
    assert code == 3
    assert "error[TOPIC_MISSING]" in said
    assert f"Did you mean '{pipeline.source}'" in said
    assert "of table `numbers`" in said


def test_files_stand_in_for_tables(pipeline: Pipeline, tmp_path: Path) -> None:
    lines, results = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines.write_text("".join(f'{{"n":{n},"word":"é{n}"}}\n' for n in range(-2, 3)))
    pipeline.address = "127.0.0.1:1"
    binds = ("--bind", f"numbers={lines}", "--bind", f"copies={results}")
    for _ in range(2):
        code, said = pipeline.run("--drain", *binds)
        assert code == 0, said
        assert results.read_text() == "".join(f'{{"n":{n},"word":"é{n}"}}\n' for n in range(3))


def test_one_query_only_writes_a_file(pipeline: Pipeline, tmp_path: Path) -> None:
    with pipeline.script.open("a") as script:
        script.write("INSERT INTO copies SELECT n + 1, word FROM numbers;\n")
    code, said = pipeline.run("--drain", "--bind", f"copies={tmp_path / 'out.jsonl'}")
    assert code == 2
    assert "One query only can write a file." in said


def test_a_bound_file_that_is_not_there(pipeline: Pipeline) -> None:
    code, said = pipeline.run("--drain", "--bind", "numbers=none.jsonl")
    assert code == 2
    assert "none.jsonl` is not valid. There is no such file." in said


def test_a_changed_source_does_not_continue_old_state(pipeline: Pipeline) -> None:
    topics = [f"'topic' = '{name}'" for name in (pipeline.source, pipeline.sink)]
    with pipeline.script.open("a") as script:
        script.write(f"CREATE TABLE again WITH ({topics[0]}) LIKE numbers (OVERWRITING OPTIONS);\n")
        script.write("CREATE TABLE nowhere (n BIGINT) WITH ('connector' = 'blackhole');\n")
        script.write("INSERT INTO nowhere SELECT n FROM again;\n")
    pipeline.send(range(3))
    assert pipeline.run("--drain")[0] == 0
    pipeline.script.write_text(topics[1].join(pipeline.script.read_text().rsplit(topics[0], 1)))
    pipeline.send(range(3, 6))
    code, said = pipeline.run("--drain")
    assert code == 1
    assert "error[STATE_CHANGED] numbers.sql:18:13" in said
    state_dir = pipeline.script.parent / ".penstock"
    assert f"penstock reset numbers --query nowhere --state-dir {state_dir}" in said
    # The other query could go on, but the script as a whole was refused.
    assert sorted(pipeline.output()) == [0, 1, 2]
