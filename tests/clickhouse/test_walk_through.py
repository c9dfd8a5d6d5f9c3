"""The walk-through of ClickHouse's Kafka guide, line by line, on events of its shape."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from penstock import Session
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus

pytestmark = pytest.mark.kafka

_CASES = Path(__file__).parents[1] / "cases" / "clickhouse"
_EVENTS = 250
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


def test_line_by_line(
    spark: SparkSession,
    broker: BrokerStatus,
    topic: Callable[..., str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source, sink = topic("github", partitions=5), topic("github_out")
    properties = {"bootstrap.servers": broker.address}
    session = Session(spark, bootstrap=broker.address, state_dir=tmp_path)

    def run(name: str, script: str) -> str:
        script = re.sub("'github'", f"'{source}'", script)
        script = re.sub("'github_out'", f"'{sink}'", script)
        script = re.sub("'clickhouse(_out)?'", f"'{source}'", script)
        capsys.readouterr()
        assert session.execute(script, name=name, drain=True).wait(_WAIT_S)
        return capsys.readouterr().out

    produce(properties, source, [Record(_event(number)) for number in range(_EVENTS)])
    there = run("there", (_CASES / "github_round_trip.sql").read_text())
    counts = ["250", "250", "350"]
    assert there == "".join(f"┌─count()─┐\n│ {count:>7} │\n└─────────┘\n" for count in counts)
    produce(properties, source, [Record(_event(number)) for number in range(10)])
    again = run("again", (_CASES / "github_round_trip.sql").read_text())
    assert f"│ {'360':>7} │" in again
    told = list(consume(properties, sink, from_beginning=True, until_end=True))
    # What came after the view out was made: ten events, and a hundred rows inserted once more.
    assert len(told) == 110
    assert json.loads(told[0].value or b"")["labels"] == ["bug", "help wanted"]
