"""`scan.startup.mode` on the real broker: where the first run begins to read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from penstock.connectors.kafka_specs import KafkaSource, Startup
from penstock.kafka import admin
from penstock.kafka.record import Record
from penstock.kafka.records import produce
from penstock.kafka.topic import TopicPartition
from penstock.runtime.offsets import starting_offsets

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.kafka.broker import BrokerStatus

pytestmark = pytest.mark.kafka


@pytest.fixture
def place(broker: BrokerStatus, topic: Callable[..., str]) -> tuple[dict[str, str], str]:
    name, properties = topic("t", partitions=2), {"bootstrap.servers": broker.address}
    produce(properties, name, [Record(b"{}", partition=p) for p in (0, 0, 0, 1)])
    return properties, name


def chosen(place: tuple[dict[str, str], str], startup: Startup) -> dict[str, object]:
    properties, name = place
    source = KafkaSource((name,), None, tuple(properties.items()), startup)
    options = starting_offsets(source, "t")
    if options["startingOffsets"].startswith("{"):
        found: dict[str, object] = json.loads(options["startingOffsets"])[name]
        return found
    return dict(options)


def test_specific_offsets_leave_the_rest_to_earliest(
    place: tuple[dict[str, str], str],
) -> None:
    startup = Startup("specific-offsets", offsets=((0, 2),))
    assert chosen(place, startup) == {"0": 2, "1": -2}


def test_specific_offsets_leave_the_rest_to_the_group(place: tuple[dict[str, str], str]) -> None:
    properties, name = place
    group = f"g-{name}"
    admin.commit_offsets(properties, group, offsets={TopicPartition(name, 1): 1})
    startup = Startup("specific-offsets", group_id=group, offsets=((0, 2),))
    assert chosen(place, startup) == {"0": 2, "1": 1}


def test_group_offsets_then_the_reset_policy(place: tuple[dict[str, str], str]) -> None:
    properties, name = place
    group = f"g-{name}"
    admin.commit_offsets(properties, group, offsets={TopicPartition(name, 0): 2})
    startup = Startup("group-offsets", group_id=group, reset="latest")
    assert chosen(place, startup) == {"0": 2, "1": -1}


def test_plain_modes_are_sparks_words(place: tuple[dict[str, str], str]) -> None:
    assert chosen(place, Startup("earliest-offset")) == {"startingOffsets": "earliest"}
    assert chosen(place, Startup("latest-offset")) == {"startingOffsets": "latest"}
