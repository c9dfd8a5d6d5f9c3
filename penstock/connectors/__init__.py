"""What a table's options mean: one file per connector, one line in this registry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.connectors.kafka import Kafka

if TYPE_CHECKING:
    from penstock.connectors.base import Connector

CONNECTORS: dict[str, type[Connector]] = {connector.name: connector for connector in (Kafka,)}
