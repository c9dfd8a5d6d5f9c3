"""What becomes of the columns of a record, and which topic it goes to."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from penstock.errors import DataError, KafkaError

if TYPE_CHECKING:
    from tests.kafka_sink.conftest import Sinking

pytestmark = pytest.mark.kafka

AT = datetime(2020, 3, 8, 13, 12, 11, 123000, tzinfo=timezone.utc)


def test_key_value_headers_and_timestamp(sinking: Sinking) -> None:
    topic = sinking.topic()
    rows = [
        (b"v1", b"k1", [("a", b"1"), ("a", b"2"), ("b", None)], AT),
        (b"v2", None, None, None),
        (None, b"k3", [(None, b"1"), None, ("c", b"3")], AT),
    ]
    sinking.write(rows, "value key headers timestamp", topic)
    found = {(record.key, record.value): record for record in sinking.read(topic)}
    assert set(found) == {(b"k1", b"v1"), (None, b"v2"), (b"k3", None)}
    assert found[b"k1", b"v1"].headers == (("a", b"1"), ("a", b"2"), ("b", None))
    assert found[None, b"v2"].headers == ()
    assert found[b"k3", None].headers == (("c", b"3"),)
    assert found[b"k1", b"v1"].timestamp == int(AT.timestamp() * 1000)
    now = datetime.now(timezone.utc).timestamp() * 1000
    assert now - 600_000 < (found[None, b"v2"].timestamp or 0) <= now


def test_rows_and_bytes_are_counted(sinking: Sinking) -> None:
    sinking.write([(b"four", b"key"), (None, b"ab"), (b"x", None)], "value key", sinking.topic())
    gateway = sinking.spark.sparkContext._jvm
    counts = gateway.penstock.kafka.Traffic.report(sinking.place.key)["orders"]
    assert list(counts) == [0, 0, 3, 10, 0, 0, 0]


@pytest.mark.parametrize("guarantee", ["none", "at-least-once", "exactly-once"])
def test_rows_arrive_with_every_guarantee(guarantee: str, sinking: Sinking) -> None:
    topic = sinking.topic(partitions=2)
    rows = [(str(n).encode(),) for n in range(100)]
    sinking.write(rows, "value", topic, guarantee=guarantee, transactional_id_prefix="p")
    assert sinking.values(topic) == sorted(value.decode() for (value,) in rows)


def test_one_topic_takes_every_record(sinking: Sinking) -> None:
    topic = sinking.topic()
    sinking.write([(b"a", None), (b"b", "elsewhere")], "value topic", topic)
    assert sinking.values(topic) == ["a", "b"]


def test_the_record_chooses_among_several_topics(sinking: Sinking) -> None:
    first, second = sinking.topic(), sinking.topic()
    rows = [(b"a", first), (b"b", second), (b"c", first)]
    sinking.write(rows, "value topic", (first, second))
    assert (sinking.values(first), sinking.values(second)) == (["a", "c"], ["b"])


def test_the_record_chooses_among_the_topics_of_a_pattern(sinking: Sinking) -> None:
    first, second = sinking.topic("match_a"), sinking.topic("match_b")
    rows = [(b"a", first), (b"b", second)]
    sinking.write(rows, "value topic", (), pattern="match_.*")
    assert (sinking.values(first), sinking.values(second)) == (["a"], ["b"])


def test_transactions_over_the_topics_of_a_pattern(sinking: Sinking) -> None:
    """The topic that markers belong to stays the same when another comes before it."""
    first = sinking.topic("pattern_b")
    marked = {"pattern": "pattern_.*", "guarantee": "exactly-once", "transactional_id_prefix": "p"}
    sinking.write([(b"a", first)], "value topic", (), **marked)
    second = sinking.topic("pattern_a")
    sinking.write([(b"b", first), (b"c", second)], "value topic", (), **marked)
    assert (sinking.values(first), sinking.values(second)) == (["a", "b"], ["c"])
    note = json.loads((sinking.place.folder / "kafka-sink.json").read_text())
    assert note["marker topic"] == first


def test_a_pattern_without_topics(sinking: Sinking) -> None:
    marked = {"pattern": "gone_.*", "guarantee": "exactly-once", "transactional_id_prefix": "p"}
    with pytest.raises(KafkaError) as refused:
        sinking.write([(b"a", "x")], "value topic", (), **marked)
    assert refused.value.code == "NO_TOPIC_MATCHES"


INVALID = (
    "cannot write a row to table `orders`: The topic of the sink record is not valid. Expected"
)


@pytest.mark.parametrize(
    ("topic", "target", "said"),
    [
        (None, {"topics": ("a", "b")}, "a single topic but no topic is set."),
        ("c", {"topics": ("a", "b")}, "topic to be in: [a, b] but was: c"),
        ("c", {"pattern": "a.*"}, "topic to match: a.* but was: c"),
    ],
)
def test_a_topic_that_may_not_be_written(
    topic: str | None, target: dict[str, str], said: str, sinking: Sinking
) -> None:
    error = sinking.failure([(b"v", topic)], "value topic", **target)
    assert isinstance(error, DataError)
    assert error.code == "BAD_RECORD"
    assert f"The query insert-1 {INVALID} {said}" in str(error)


def test_a_time_before_1970_is_refused(sinking: Sinking) -> None:
    early = datetime(1969, 12, 31, tzinfo=timezone.utc)
    error = sinking.failure([(b"v", early)], "value timestamp", topics=sinking.topic())
    assert error.code == "BAD_RECORD"
    assert "before 1970" in str(error)


@pytest.mark.parametrize("guarantee", ["at-least-once", "exactly-once"])
def test_a_message_that_is_too_large_is_refused(guarantee: str, sinking: Sinking) -> None:
    error = sinking.failure(
        [(b"v" * 5000,)],
        "value",
        topics=sinking.topic(),
        properties={"max.request.size": "1000"},
        guarantee=guarantee,
        transactional_id_prefix="p",
    )
    assert error.code == "BAD_RECORD"
    assert "max.request.size" in str(error)


def test_passwords_are_neither_in_errors_nor_in_the_log(sinking: Sinking) -> None:
    password = {"ssl.key.password": "s3cret-of-the-key"}
    sinking.write([(b"v",)], "value", sinking.topic(), properties=password)
    error: BaseException | None = sinking.failure(
        [(b"v", "nowhere")], "value topic", topics=("a", "b"), properties=password
    )
    while error is not None:
        assert "s3cret-of-the-key" not in str(error)
        error = error.__cause__ or error.__context__
    options = sinking.spark.conf.get("spark.driver.extraJavaOptions") or ""
    log = Path(options.partition("-Dpenstock.log=")[2].split()[0]).read_text()
    assert log
    assert "s3cret-of-the-key" not in log
