"""Topics and offsets on a real broker, and the ways in which there may be none."""

from __future__ import annotations

import socket
import threading
import time
import uuid
from typing import TYPE_CHECKING

import pytest

from penstock.errors import KafkaError
from penstock.kafka import admin
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from penstock.kafka.topic import Committed, Topic, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from penstock.kafka.broker import BrokerStatus

    MakeTopic = Callable[..., str]

pytestmark = pytest.mark.kafka


@pytest.fixture
def properties(broker: BrokerStatus) -> dict[str, str]:
    return {"bootstrap.servers": broker.address}


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def _new_name(prefix: str = "t") -> str:
    return f"{prefix}_{uuid.uuid4().hex[:8]}"


def test_a_topic_is_created_once_and_deleted_once(properties: dict[str, str]) -> None:
    name = _new_name()
    assert admin.create_topic(properties, name, partitions=3) is True
    assert admin.describe(properties, [name]) == (Topic(name, 3),)
    assert admin.create_topic(properties, name, if_not_exists=True) is False
    with pytest.raises(KafkaError, match=f"'{name}' exists already") as caught:
        admin.create_topic(properties, name)
    assert caught.value.code == "TOPIC_EXISTS"
    assert admin.delete_topic(properties, name) is True
    assert not admin.topic_exists(properties, name)
    assert admin.delete_topic(properties, name, if_exists=True) is False


def test_settings_of_topics_and_brokers(properties: dict[str, str]) -> None:
    name = _new_name()
    admin.create_topic(properties, name, config={"cleanup.policy": "compact"})
    assert admin.topic_settings(properties, name)["cleanup.policy"] == "compact"
    assert admin.broker_settings(properties)["auto.create.topics.enable"] == "true"
    with pytest.raises(KafkaError) as caught:
        admin.topic_settings(properties, f"{name}_not")
    assert caught.value.code == "TOPIC_MISSING"


def test_a_missing_topic_is_an_error_with_a_near_match(
    properties: dict[str, str], topic: MakeTopic
) -> None:
    name = topic("orders")
    wrong = name.replace("orders", "order")
    for question in (admin.describe, admin.end_offsets, admin.beginning_offsets):
        with pytest.raises(KafkaError, match=f"Did you mean '{name}'") as caught:
            question(properties, [wrong])
        assert caught.value.code == "TOPIC_MISSING"
    with pytest.raises(KafkaError, match="of table `o`"):
        admin.describe(properties, [wrong], table_note=" of table `o`")


def test_only_a_producer_creates_a_topic(properties: dict[str, str]) -> None:
    name = _new_name()
    admin.topic_exists(properties, name)
    for question in (
        lambda: admin.describe(properties, [name]),
        lambda: admin.end_offsets(properties, [name]),
        lambda: admin.delete_topic(properties, name),
        lambda: list(consume(properties, name, until_end=True)),
    ):
        with pytest.raises(KafkaError, match="does not exist"):
            question()
    assert not admin.topic_exists(properties, name)
    assert produce(properties, name, [Record(b"1")]) == 1
    assert admin.describe(properties, [name]) == (Topic(name, 1),)


def test_what_the_broker_refuses_is_said_in_its_words(properties: dict[str, str]) -> None:
    with pytest.raises(KafkaError, match=r"Unknown topic config name: no\.such") as caught:
        admin.create_topic(properties, _new_name(), config={"no.such": "1"})
    assert caught.value.code == "KAFKA_REQUEST_FAILED"
    with pytest.raises(KafkaError, match="Topic name is invalid"):
        admin.create_topic(properties, "a b")


def test_offsets_by_place_and_by_time(properties: dict[str, str], topic: MakeTopic) -> None:
    name = topic(partitions=2)
    rows = [Record(b"x", partition=0, timestamp=ms) for ms in (1000, 2000, 3000)]
    produce(properties, name, rows)
    first, second = TopicPartition(name, 0), TopicPartition(name, 1)
    assert admin.beginning_offsets(properties, [name]) == {first: 0, second: 0}
    assert admin.end_offsets(properties, [name]) == {first: 3, second: 0}
    at = admin.offsets_for_timestamp(properties, [name], timestamp_ms=1500)
    assert at == {first: 1, second: 0}
    after = admin.offsets_for_timestamp(properties, [name], timestamp_ms=9000)
    assert after == {first: 3, second: 0}


def test_a_group_has_what_was_committed_for_it(
    properties: dict[str, str], topic: MakeTopic
) -> None:
    name, group = topic(partitions=2), _new_name("group")
    assert admin.committed_offsets(properties, group) == {}
    offsets = {TopicPartition(name, 0): 5, TopicPartition(name, 1): 7}
    admin.commit_offsets(properties, group, offsets=offsets)
    assert admin.committed_offsets(properties, group) == offsets
    admin.commit_offsets(properties, group, offsets={TopicPartition(name, 1): 8})
    assert admin.committed_offsets(properties, group)[TopicPartition(name, 1)] == 8
    admin.commit_offsets(properties, group, offsets={TopicPartition(name, 0): 6}, note="by ü")
    assert admin.committed(properties, group) == {
        TopicPartition(name, 0): Committed(6, "by ü"),
        TopicPartition(name, 1): Committed(8),
    }


def test_a_wrong_login_is_refused_at_once(properties: dict[str, str]) -> None:
    login = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="u"'
    secured = {
        **properties,
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": "PLAIN",
        "sasl.jaas.config": f'{login} password="hush";',
    }
    began = time.monotonic()
    with pytest.raises(KafkaError) as caught:
        admin.check_reachable(secured)
    assert caught.value.code == "KAFKA_REFUSED"
    assert "hush" not in str(caught.value)
    assert time.monotonic() - began < 5


def test_a_broker_that_is_there_passes(properties: dict[str, str]) -> None:
    admin.check_reachable(properties)
    both = {"bootstrap.servers": f"127.0.0.1:9,{properties['bootstrap.servers']}"}
    admin.check_reachable(both)


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("127.0.0.1:9", "connection refused"),
        ("no-such-host.invalid:9092", "host name 'no-such-host.invalid' is not known"),
        ("192.0.2.1:9092", ""),  # an address set apart for documentation: packets vanish
    ],
)
def test_an_unreachable_broker_is_known_in_time(address: str, reason: str) -> None:
    began = time.monotonic()
    with pytest.raises(KafkaError, match=f"at {address} within 3 s") as caught:
        admin.check_reachable(
            {"bootstrap.servers": address}, timeout_s=3, table_note=" of table `t`"
        )
    assert time.monotonic() - began < 8
    assert caught.value.code == "BROKER_UNREACHABLE"
    assert reason in str(caught.value)
    assert "of table `t`" in str(caught.value)


def test_a_port_that_is_no_broker_is_known_in_time(
    silent_port: int, capfd: pytest.CaptureFixture[str]
) -> None:
    address = f"127.0.0.1:{silent_port}"
    began = time.monotonic()
    with pytest.raises(KafkaError, match=f"at {address} within 2 s"):
        admin.check_reachable({"bootstrap.servers": address}, timeout_s=2)
    assert time.monotonic() - began < 8
    assert capfd.readouterr().err == ""


def test_questions_to_two_dead_brokers_wait_at_the_same_time() -> None:
    errors: list[KafkaError] = []

    def ask(port: int) -> None:
        try:
            admin.check_reachable({"bootstrap.servers": f"127.0.0.1:{port}"}, timeout_s=2)
        except KafkaError as error:
            errors.append(error)

    threads = [threading.Thread(target=ask, args=(port,)) for port in (7, 9)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - began < 3.5
    assert [error.code for error in errors] == ["BROKER_UNREACHABLE"] * 2


@pytest.mark.parametrize("address", ["<yourKafkaBrokers>", "kafka", "kafka:port", "kafka:99999"])
def test_an_address_must_be_one(address: str) -> None:
    with pytest.raises(KafkaError) as caught:
        admin.check_reachable({"bootstrap.servers": address})
    assert caught.value.code == "BROKER_ADDRESS_INVALID"
