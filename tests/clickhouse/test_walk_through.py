"""The walk-through of ClickHouse's Kafka guide, line by line, on events of its shape."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from penstock import Session
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus

pytestmark = pytest.mark.kafka

_CASES = Path(__file__).parents[1] / "cases" / "clickhouse"
_EXAMPLE = Path(__file__).parents[2] / "examples" / "clickhouse"
_EVENTS, _MADE_UP = 250, 2_000
_WAIT_S = 300


def _event(number: int) -> bytes:
    return json.dumps(
        {
            "file_time": "2019-09-23 11:00:00",
            "event_type": "CommitCommentEvent" if number % 2 else 12,
            "actor_login": f"user{number % 7}",
            "repo_name": "ClickHouse/ClickHouse",
            "created_at": "2019-09-23 11:25:54",
            "updated_at": 1569237954,
            "action": "created",
            "comment_id": str(2**63 + number),
            "labels": ["bug", "help wanted"],
            "number": number,
            "unknown": "left out",
        }
    ).encode()


def _made_up(count: int, *, seed: int) -> list[str]:
    return list(runpy.run_path(str(_EXAMPLE / "generate.py"))["lines"](count, seed))


@dataclass(frozen=True)
class Guide:
    """Scripts of the guide on topics of this test."""

    session: Session
    properties: dict[str, str]
    source: str
    sink: str
    capsys: pytest.CaptureFixture[str]

    def run(self, name: str, script: str) -> str:
        script = re.sub("'github'", f"'{self.source}'", script)
        script = re.sub("'github_out'", f"'{self.sink}'", script)
        script = re.sub("'clickhouse(_out)?'", f"'{self.source}'", script)
        self.capsys.readouterr()
        assert self.session.execute(script, name=name, drain=True).wait(_WAIT_S)
        return self.capsys.readouterr().out

    def send(self, events: Iterable[bytes]) -> None:
        produce(self.properties, self.source, [Record(event) for event in events])


@pytest.fixture
def guide(
    spark: SparkSession,
    broker: BrokerStatus,
    topic: Callable[..., str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> Guide:
    source, sink = topic("github", partitions=5), topic("github_out")
    session = Session(spark, bootstrap=broker.address, state_dir=tmp_path)
    return Guide(session, {"bootstrap.servers": broker.address}, source, sink, capsys)


def _counts(*counts: int) -> str:
    return "".join(f"┌─count()─┐\n│ {count:>7} │\n└─────────┘\n" for count in counts)


def test_line_by_line(guide: Guide) -> None:
    guide.send(map(_event, range(_EVENTS)))
    script = (_CASES / "github_round_trip.sql").read_text()
    assert guide.run("there", script) == _counts(250, 250, 350)
    guide.send(map(_event, range(10)))
    assert f"│ {'360':>7} │" in guide.run("again", script)
    told = list(consume(guide.properties, guide.sink, from_beginning=True, until_end=True))
    # What came after the view out was made: ten events, and a hundred rows inserted once more.
    assert len(told) == 110
    assert json.loads(told[0].value or b"")["labels"] == ["bug", "help wanted"]


_SHOWN = """-- dialect: clickhouse
SELECT event_type, action, count(), sum(number), sum(length(labels)), max(comment_id),
       countIf(merge_commit_sha != '')
FROM KafkaEngine.github WHERE topic = '' GROUP BY event_type, action FORMAT JSONCompactEachRow;
SELECT topic, count() FROM KafkaEngine.github GROUP BY topic FORMAT JSONCompactEachRow;
"""


def test_the_example_keeps_every_event(guide: Guide) -> None:
    lines = [line.encode() for line in _made_up(_MADE_UP, seed=7)]
    guide.send(lines)
    said = guide.run("example", (_EXAMPLE / "github.sql").read_text())
    assert said.startswith(_counts(_MADE_UP))
    assert said.endswith(_counts(_MADE_UP, _MADE_UP + 100))
    *groups, old, new = map(json.loads, guide.run("shown", _SHOWN).splitlines())
    assert sorted([old, new]) == [["", _MADE_UP], [guide.source, 100]]
    expected: dict[tuple[str, str], list[int]] = {}
    for event in map(json.loads, lines):
        so_far = expected.setdefault((event["event_type"], event["action"]), [0] * 5)
        so_far[0] += 1
        so_far[1] += event["number"]
        so_far[2] += len(event["labels"])
        so_far[3] = max(so_far[3], event["comment_id"])
        so_far[4] += event["merge_commit_sha"] != ""
    assert {(kind, action): figures for kind, action, *figures in groups} == expected


def test_the_example_makes_up_the_same_events_for_the_same_seed() -> None:
    lines = _made_up(500, seed=1)
    assert lines == _made_up(500, seed=1) != _made_up(500, seed=2)
    table = (_EXAMPLE / "github.sql").read_text().partition("(\n")[2].partition("\n) ENGINE")[0]
    columns = [line.split()[0] for line in table.splitlines()]
    assert len(columns) == 25
    assert all(list(json.loads(line)) == columns for line in lines)


@pytest.mark.slow
def test_the_whole_demo() -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [_EXAMPLE / "walk.sh"],
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    for count in (200_000, 200_100, 200_110):
        assert _counts(count) in done.stdout
    assert done.stdout.endswith("messages in github_out: 10\n")
