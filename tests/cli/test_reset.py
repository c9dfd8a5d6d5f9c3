"""`penstock reset`: a job that has run begins anew."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from penstock import OptionError, RunError, Session
from penstock.cli.main import app
from penstock.cli.reset import reset_job
from penstock.cli.status import status_text
from penstock.kafka import admin
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from penstock.runtime.state import JobFolder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus

WAIT_S = 120
SCRIPT = """
CREATE TABLE words (word STRING) WITH ('connector' = 'kafka', 'topic' = '{source}',
  'properties.bootstrap.servers' = '{address}', 'properties.group.id' = '{source}',
  'scan.startup.mode' = '{start}', 'format' = 'json');
CREATE TABLE counts (word STRING, n BIGINT, PRIMARY KEY (word) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = '{counts}', 'key.format' = 'json',
  'value.format' = 'json', 'properties.bootstrap.servers' = '{address}',
  'sink.delivery-guarantee' = 'exactly-once', 'sink.transactional-id-prefix' = '{counts}');
CREATE TABLE copies (word STRING) WITH ('connector' = 'kafka', 'topic' = '{copies}',
  'properties.bootstrap.servers' = '{address}', 'format' = 'json');
INSERT INTO counts SELECT word, COUNT(*) FROM words GROUP BY word;
INSERT INTO copies SELECT word FROM words;
"""


class Words:
    """A job that counts words and copies them."""

    def __init__(
        self, spark: SparkSession, address: str, topic: Callable[..., str], folder: Path
    ) -> None:
        self.state_dir = folder / "state"
        self.properties = {"bootstrap.servers": address}
        self.topics = {name: topic(name) for name in ("source", "counts", "copies")}
        self._session = Session(spark, state_dir=self.state_dir)

    def run(self, *, start: str = "earliest-offset") -> None:
        text = SCRIPT.format(
            address=self.properties["bootstrap.servers"], start=start, **self.topics
        )
        assert self._session.execute(text, name="words", drain=True).wait(WAIT_S)

    def send(self, *words: str) -> None:
        records = [Record(json.dumps({"word": word}).encode()) for word in words]
        produce(self.properties, self.topics["source"], records)

    def written(self, topic: str) -> list[dict[str, object]]:
        name = self.topics[topic]
        found = consume(self.properties, name, from_beginning=True, until_end=True)
        return [json.loads(record.value or b"") for record in found]


@pytest.fixture
def words(
    spark: SparkSession, broker: BrokerStatus, topic: Callable[..., str], tmp_path: Path
) -> Words:
    return Words(spark, broker.address, topic, tmp_path)


@pytest.mark.kafka
def test_a_job_begins_anew(words: Words, capsys: pytest.CaptureFixture[str]) -> None:
    words.send("a", "b", "a")
    words.run()
    shown = status_text("words", words.state_dir, as_json=False)
    assert "      Aggregate by `word`: 2 rows, " in shown
    reset_job("words", words.state_dir, ["counts"], yes=True)
    said = capsys.readouterr().out
    source = words.topics["source"]
    for line in (
        "What the job 'words' keeps, and would forget:\n  counts: ",
        f"    has read topic '{source}', partition 0 to 3\n",
        "    Aggregate by `word`: 2 rows, ",
        f"Offsets that were committed to group {source} are Kafka's and stay",
        "Forgotten: counts.",
    ):
        assert line in said
    assert "  copies: " not in said
    found = json.loads(status_text("words", words.state_dir, as_json=True))
    assert [query["query"] for query in found["queries"]] == ["copies"]
    # By its note a later run ends the transactions of an earlier one.
    left = JobFolder.of("words", words.state_dir).query("counts")
    assert [file.name for file in left.iterdir()] == ["kafka-sink.json"]
    words.send("b")
    words.run()
    assert [row["word"] for row in words.written("copies")] == ["a", "b", "a", "b"]
    assert sorted(row["n"] for row in words.written("counts")) == [1, 2, 2, 2]
    reset_job("words", words.state_dir, [], yes=True)
    assert status_text(None, words.state_dir, as_json=False).startswith("No job has run in ")
    # The group is where the job was: only what comes now is read.
    words.send("c")
    words.run(start="group-offsets")
    assert [row["word"] for row in words.written("copies")] == ["a", "b", "a", "b", "c"]
    admin.committed_offsets(words.properties, source)


@pytest.fixture
def kept(tmp_path: Path) -> JobFolder:
    """A job that has kept something."""
    folder = JobFolder.of("bills", tmp_path)
    for query in ("paid", "due#2"):
        offsets = folder.query(query) / "checkpoint" / "offsets"
        offsets.mkdir(parents=True)
        (offsets / "4").write_text('v1\n{"conf":{}}\n{"orders":{"1":20,"0":1700}}\n-')
    return folder


def test_it_asks(kept: JobFolder) -> None:
    state_dir = str(kept.path.parent)
    command = ["reset", "bills", "--query", "due#2", "--state-dir", state_dir]
    said = CliRunner().invoke(app, command, input="n\n")
    assert "has read topic 'orders', partition 0 to 1,700, 1 to 20" in said.output
    assert kept.has_progress("due#2")
    said = CliRunner().invoke(app, command, input="y\n")
    assert said.output.endswith("Forgotten: due#2.\n")
    assert (kept.query_ids(), kept.has_progress("paid")) == (("paid",), True)
    with pytest.raises(OptionError, match=r"of a query 'due'. Queries: 'paid'."):
        reset_job("bills", kept.path.parent, ["due"], yes=True)
    reset_job("bills", kept.path.parent, [], yes=True)
    assert "keeps nothing" in CliRunner().invoke(app, ["reset", "bills", *command[-2:]]).output


def test_a_running_job_is_left_alone(kept: JobFolder) -> None:
    held = kept.lock()
    with pytest.raises(RunError, match=r"The job 'bills' is running \(process \d+\)"):
        reset_job("bills", kept.path.parent, [], yes=True)
    held.release()
    assert kept.has_progress("paid")


def test_a_job_that_never_ran(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="No job 'bills' has run"):
        reset_job("bills", tmp_path, [], yes=True)
