"""Writers: one file per kind of target, one line in this registry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.connectors.base import FileTarget
from penstock.connectors.blackhole import BlackholeTarget
from penstock.connectors.delta import DeltaTarget
from penstock.connectors.filesystem import FilesystemTarget
from penstock.connectors.kafka_specs import KafkaTarget
from penstock.connectors.merge_tree import MergeTreeTable
from penstock.connectors.print import PrintTarget
from penstock.connectors.result import ResultTarget
from penstock.spark.sinks.delta import at_rest
from penstock.spark.sinks.delta_table import DeltaTableSink
from penstock.spark.sinks.file import FileSink
from penstock.spark.sinks.filesystem import FilesystemSink
from penstock.spark.sinks.format import blackhole
from penstock.spark.sinks.kafka import KafkaSink
from penstock.spark.sinks.print import PrintSink
from penstock.spark.sinks.result import ResultSink

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.spark.sinks.base import Sink

SINKS: dict[type, Callable[..., Sink]] = {
    BlackholeTarget: blackhole,
    DeltaTarget: DeltaTableSink,
    FileTarget: FileSink,
    FilesystemTarget: FilesystemSink,
    KafkaTarget: KafkaSink,
    MergeTreeTable: at_rest,
    PrintTarget: PrintSink,
    ResultTarget: ResultSink,
}
