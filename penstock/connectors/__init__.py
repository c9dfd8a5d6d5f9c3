"""What a table's options mean: one file per connector, one line in this registry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.connectors.blackhole import Blackhole, Null
from penstock.connectors.blink_kafka import BlinkKafka, Kafka011, Kafka08, Kafka09
from penstock.connectors.clickhouse_kafka import ClickHouseKafka
from penstock.connectors.datagen import Datagen
from penstock.connectors.delta import Delta
from penstock.connectors.filesystem import Filesystem
from penstock.connectors.kafka import Kafka
from penstock.connectors.merge_tree import MergeTree
from penstock.connectors.print import Print
from penstock.connectors.upsert_kafka import UpsertKafka

if TYPE_CHECKING:
    from penstock.connectors.base import Connector

CONNECTORS: dict[str, type[Connector]] = {
    connector.name: connector
    for connector in (
        Blackhole,
        BlinkKafka,
        ClickHouseKafka,
        Datagen,
        Delta,
        Filesystem,
        Kafka,
        Kafka08,
        Kafka09,
        Kafka011,
        MergeTree,
        Null,
        Print,
        UpsertKafka,
    )
}
