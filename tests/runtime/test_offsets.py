"""`scan.startup.mode` on the real broker: where the first run begins to read."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from penstock import RunError, Session
from penstock.connectors.kafka_specs import KafkaSource, Startup
from penstock.kafka import admin
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from penstock.kafka.topic import TopicPartition
from penstock.runtime.offset_lookup import starting_offsets
from tests.helpers import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus

pytestmark = pytest.mark.kafka


@pytest.fixture
def place(broker: BrokerStatus, topic: Callable[..., str]) -> tuple[dict[str, str], str]:
    name, properties = topic("t", partitions=2), {"bootstrap.servers": broker.address}
    produce(properties, name, [Record(b"{}", partition=p) for p in (0, 0, 0, 1)])
    return properties, name


def chosen(place: tuple[dict[str, str], str], startup: Startup) -> dict[int, int]:
    properties, name = place
    source = KafkaSource((name,), None, tuple(properties.items()), startup)
    return starting_offsets(source, "t")[name]


def test_specific_offsets_leave_the_rest_to_earliest(
    place: tuple[dict[str, str], str],
) -> None:
    startup = Startup("specific-offsets", offsets=((0, 2),))
    assert chosen(place, startup) == {0: 2, 1: -2}


def test_specific_offsets_leave_the_rest_to_the_group(place: tuple[dict[str, str], str]) -> None:
    properties, name = place
    group = f"g-{name}"
    admin.commit_offsets(properties, group, offsets={TopicPartition(name, 1): 1})
    startup = Startup("specific-offsets", group_id=group, offsets=((0, 2),))
    assert chosen(place, startup) == {0: 2, 1: 1}


@pytest.mark.parametrize(("reset", "expected"), [(None, -2), ("earliest", -2), ("latest", 3)])
def test_a_listed_offset_out_of_range(
    place: tuple[dict[str, str], str],
    reset: str | None,
    expected: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    startup = Startup("specific-offsets", offsets=((0, 99), (1, 1)), reset=reset)
    assert chosen(place, startup) == {0: expected, 1: 1}
    assert f"offset 99 of partition 0 of topic '{place[1]}', which is not there" in caplog.text
    assert f"begins at the {reset or 'earliest'} one" in caplog.text


def test_group_offsets_then_the_reset_policy(place: tuple[dict[str, str], str]) -> None:
    properties, name = place
    group = f"g-{name}"
    admin.commit_offsets(properties, group, offsets={TopicPartition(name, 0): 2})
    startup = Startup("group-offsets", group_id=group, reset="latest")
    assert chosen(place, startup) == {0: 2, 1: 1}


@pytest.mark.parametrize("reset", [None, "none"])
def test_without_a_committed_offset_the_options_to_set_are_named(
    place: tuple[dict[str, str], str], reset: str | None
) -> None:
    with pytest.raises(RunError) as caught:
        chosen(place, Startup("group-offsets", group_id="nobody", reset=reset))
    assert caught.value.code == "NO_COMMITTED_OFFSET"
    for word in ("'nobody'", "partition 0", "properties.auto.offset.reset", "scan.startup.mode"):
        assert word in str(caught.value)


def test_a_committed_offset_that_is_gone_is_not_passed_over(
    place: tuple[dict[str, str], str],
) -> None:
    properties, name = place
    group = f"g-{name}"
    places = {TopicPartition(name, 0): 7, TopicPartition(name, 1): 0}
    admin.commit_offsets(properties, group, offsets=places)
    with pytest.raises(RunError) as caught:
        chosen(place, Startup("group-offsets", group_id=group))
    assert caught.value.code == "COMMITTED_OFFSET_GONE"
    startup = Startup("group-offsets", group_id=group, reset="earliest")
    assert chosen(place, startup) == {0: -2, 1: 0}


def test_plain_modes(place: tuple[dict[str, str], str]) -> None:
    assert chosen(place, Startup("earliest-offset")) == {0: -2, 1: -2}
    assert chosen(place, Startup("latest-offset")) == {0: 3, 1: 1}
    assert chosen(place, Startup("timestamp", timestamp_ms=0)) == {0: 0, 1: 0}
    assert chosen(place, Startup("timestamp", timestamp_ms=9_999_999_999_999)) == {0: 3, 1: 1}


SCRIPT = """
CREATE TABLE numbers (n INT) WITH ('connector' = 'kafka', 'topic' = '{source}', {more}
  'properties.bootstrap.servers' = 'x:1', 'format' = 'json', 'scan.startup.mode' = '{mode}');
CREATE TABLE copies (n INT) WITH ('connector' = 'kafka', 'topic' = '{sink}',
  'properties.bootstrap.servers' = 'x:1', 'format' = 'json');
INSERT INTO copies SELECT n FROM numbers;
"""


class Run:
    """A job between two topics of six and one partitions."""

    def __init__(self, session: Session, properties: dict[str, str], topic: Callable[..., str]):
        self.session, self.properties = session, properties
        self.source, self.sink = topic("numbers", partitions=6), topic("copies")

    def text(self, mode: str, more: str = "") -> str:
        return SCRIPT.format(source=self.source, sink=self.sink, mode=mode, more=more)

    def send(self, n: int, partitions: range) -> None:
        records = [Record(json.dumps({"n": n}).encode(), partition=p) for p in partitions]
        produce(self.properties, self.source, records)

    def read(self) -> list[int]:
        found = consume(self.properties, self.sink, from_beginning=True, until_end=True)
        return sorted(json.loads(record.value or b"")["n"] for record in found)

    def drain(self, mode: str) -> list[int]:
        assert self.session.execute(self.text(mode), drain=True).wait(60)
        return self.read()


@pytest.fixture
def run(
    spark: SparkSession, broker: BrokerStatus, topic: Callable[..., str], tmp_path: Path
) -> Run:
    session = Session(spark, bootstrap=broker.address, state_dir=tmp_path)
    return Run(session, {"bootstrap.servers": broker.address}, topic)


def test_latest_offset_loses_nothing_over_a_restart(run: Run) -> None:
    run.send(0, range(6))
    job = run.session.execute(run.text("latest-offset"))
    run.send(1, range(3))
    wait_until(lambda: len(run.read()) == 3, timeout_s=60)
    job.stop()
    run.send(2, range(3))
    run.send(1, range(3, 6))
    job = run.session.execute(run.text("latest-offset"))
    wait_until(lambda: len(run.read()) == 9, timeout_s=60)
    run.send(3, range(6))
    wait_until(lambda: len(run.read()) == 15, timeout_s=60)
    job.stop()
    assert run.read() == [1] * 6 + [2] * 3 + [3] * 6


def test_latest_offset_is_looked_up_once(run: Run) -> None:
    """Also where the first run broke off before it had read anything."""
    run.send(0, range(6))
    run.session.execute(run.text("latest-offset")).stop(grace_s=0)
    run.send(1, range(6))
    assert run.drain("latest-offset") == [1] * 6


def test_a_start_that_was_never_used_can_be_changed(run: Run) -> None:
    run.send(0, range(6))
    job = run.session.execute(run.text("latest-offset"))
    job.stop(grace_s=0)
    # Spark begins with a batch without messages, unless it is stopped before that.
    shutil.rmtree(job.folder.query("copies") / "checkpoint", ignore_errors=True)
    assert run.drain("earliest-offset") == [0] * 6


def test_group_offsets_continue_what_another_job_has_read(run: Run) -> None:
    more = f"'properties.group.id' = '{run.source}', 'properties.auto.offset.reset' = 'earliest', "
    run.send(0, range(6))
    for n, name in enumerate(("first", "second"), 1):
        text = run.text("group-offsets", more)
        assert run.session.execute(text, name=name, drain=True).wait(60)
        assert run.read() == [m for m in range(n) for _ in range(6)]
        run.send(n, range(6))
