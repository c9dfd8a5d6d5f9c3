"""Messages in and out of a real topic: nothing is changed, nothing is lost without a word."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from confluent_kafka import Producer

from penstock.errors import DataError, KafkaError
from penstock.kafka import admin
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from penstock.kafka.topic import TopicPartition
from tests.helpers import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from penstock.kafka.broker import BrokerStatus

    MakeTopic = Callable[..., str]

pytestmark = pytest.mark.kafka


@pytest.fixture
def properties(broker: BrokerStatus) -> dict[str, str]:
    return {"bootstrap.servers": broker.address}


def _all(properties: dict[str, str], topic: str) -> list[Record]:
    return list(consume(properties, topic, from_beginning=True, until_end=True))


def test_a_record_comes_back_as_it_was_sent(properties: dict[str, str], topic: MakeTopic) -> None:
    name = topic(partitions=2)
    headers = (("a", b"1"), ("a", None), ("b", b""), ("c", b"\xff"))
    sent = Record(b"\x00\xff", b"key", headers, partition=1, timestamp=1)
    assert produce(properties, name, [sent]) == 1
    came = Record(b"\x00\xff", b"key", headers, 1, 1, topic=name, offset=0)
    assert _all(properties, name) == [came]


def test_null_and_empty_are_not_the_same(properties: dict[str, str], topic: MakeTopic) -> None:
    name = topic()
    produce(properties, name, [Record(None, b"k"), Record(b"", b""), Record(b"v", None)])
    assert [(r.key, r.value) for r in _all(properties, name)] == [
        (b"k", None),
        (b"", b""),
        (None, b"v"),
    ]


def test_equal_keys_go_where_javas_clients_send_them(
    properties: dict[str, str], topic: MakeTopic
) -> None:
    name = topic(partitions=4)
    produce(properties, name, [Record(b"", key=key) for key in (b"21", b"foobar", b"abc")])
    where = {record.key: record.partition for record in _all(properties, name)}
    # Kafka's own UtilsTest has these hashes of murmur2; a partition is the positive one modulo 4.
    hashes = {b"21": -973932308, b"foobar": -790332482, b"abc": 479470107}
    assert where == {key: (value & 0x7FFFFFFF) % 4 for key, value in hashes.items()}


def test_many_records_arrive_in_order(properties: dict[str, str], topic: MakeTopic) -> None:
    name = topic()
    count = 120_000  # more than the client's queue takes at once
    assert produce(properties, name, (Record(b"%d" % i) for i in range(count))) == count
    assert [record.value for record in _all(properties, name)] == [b"%d" % i for i in range(count)]


def test_partitions_that_a_topic_was_given_since_are_sent_to(
    properties: dict[str, str], topic: MakeTopic
) -> None:
    orders = topic("orders")
    produce(properties, orders, [Record(b"1", partition=0)])
    admin.delete_topic(properties, orders)
    admin.create_topic(properties, orders, partitions=3)
    produce(properties, orders, [Record(b"2", partition=2)])
    assert [(r.partition, r.value) for r in _all(properties, orders)] == [(2, b"2")]


def test_what_cannot_be_delivered_is_raised(properties: dict[str, str], topic: MakeTopic) -> None:
    name = topic()
    with pytest.raises(KafkaError, match="Unknown partition"):
        produce(properties, name, [Record(b"x", partition=9)])
    with pytest.raises(KafkaError, match="too large"):
        produce(properties, name, [Record(b"x" * 3_000_000)])
    with pytest.raises(DataError, match="timestamp"):
        produce(properties, name, [Record(b"x", timestamp=0)])
    assert _all(properties, name) == []


def test_what_was_handed_over_before_a_failure_is_sent(
    properties: dict[str, str], topic: MakeTopic
) -> None:
    name = topic()

    def records() -> Iterator[Record]:
        yield Record(b"1")
        raise RuntimeError("the input broke")

    with pytest.raises(RuntimeError, match="the input broke"):
        produce(properties, name, records())
    assert [record.value for record in _all(properties, name)] == [b"1"]


def test_a_reader_stops_at_its_limit_at_the_end_or_when_nothing_comes(
    properties: dict[str, str], topic: MakeTopic
) -> None:
    name = topic(partitions=3)
    assert _all(properties, name) == []
    produce(properties, name, [Record(b"%d" % i, partition=i % 3) for i in range(9)])
    assert len(list(consume(properties, name, from_beginning=True, limit=4))) == 4
    assert len(_all(properties, name)) == 9
    assert list(consume(properties, name, idle_s=0.5)) == []


def test_a_reader_follows_what_comes(properties: dict[str, str], topic: MakeTopic) -> None:
    name = topic()
    produce(properties, name, [Record(b"before")])
    came: list[Record] = []

    def follow() -> None:
        came.extend(consume(properties, name, group="followers", limit=1))

    reader = threading.Thread(target=follow, daemon=True)
    reader.start()

    def has_come() -> bool:
        produce(properties, name, [Record(b"after")])
        return not reader.is_alive()

    wait_until(has_come)
    assert [record.value for record in came] == [b"after"]


def test_a_group_goes_on_where_it_was(properties: dict[str, str], topic: MakeTopic) -> None:
    name = topic()
    group = f"group_{name}"
    produce(properties, name, [Record(b"%d" % i) for i in range(5)])
    first = consume(properties, name, from_beginning=True, group=group, limit=2)
    assert [record.value for record in first] == [b"0", b"1"]
    assert admin.committed_offsets(properties, group) == {TopicPartition(name, 0): 2}
    rest = consume(properties, name, from_beginning=True, group=group, until_end=True)
    assert [record.value for record in rest] == [b"2", b"3", b"4"]
    assert list(consume(properties, name, group=group, until_end=True)) == []


def test_a_record_its_reader_did_not_finish_is_not_committed(
    properties: dict[str, str], topic: MakeTopic
) -> None:
    name = topic()
    group = f"group_{name}"
    produce(properties, name, [Record(b"0"), Record(b"1")])
    reading = consume(properties, name, from_beginning=True, group=group)
    next(reading)
    next(reading)
    reading.close()
    assert admin.committed_offsets(properties, group) == {TopicPartition(name, 0): 1}


def test_only_committed_transactions_are_read(properties: dict[str, str], topic: MakeTopic) -> None:
    name = topic()
    writer = Producer({**properties, "transactional.id": name})
    writer.init_transactions(10)
    for value, end in (
        (b"aborted", writer.abort_transaction),
        (b"committed", writer.commit_transaction),
    ):
        writer.begin_transaction()
        writer.produce(name, value)
        writer.flush()
        end(10)
    assert [record.value for record in _all(properties, name)] == [b"committed"]
    everything = {**properties, "isolation.level": "read_uncommitted"}
    assert [r.value for r in _all(everything, name)] == [b"aborted", b"committed"]


def test_an_open_transaction_does_not_hold_up_a_reader(
    properties: dict[str, str], topic: MakeTopic
) -> None:
    name = topic()
    produce(properties, name, [Record(b"before")])
    writer = Producer({**properties, "transactional.id": name})
    writer.init_transactions(10)
    writer.begin_transaction()
    writer.produce(name, b"open")
    writer.flush()
    assert [record.value for record in _all(properties, name)] == [b"before"]
    writer.abort_transaction(10)
