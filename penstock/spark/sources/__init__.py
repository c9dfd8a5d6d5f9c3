"""Readers: one file per kind of source, one line in this registry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.connectors.base import FileSource
from penstock.connectors.datagen import DatagenSource
from penstock.connectors.delta import DeltaSource
from penstock.connectors.filesystem import FilesystemSource
from penstock.connectors.inline import InlineSource
from penstock.connectors.kafka_specs import KafkaSource
from penstock.connectors.merge_tree import MergeTreeTable
from penstock.connectors.system import RowsSource
from penstock.spark.sources.datagen import datagen
from penstock.spark.sources.delta import delta
from penstock.spark.sources.delta_table import delta_table
from penstock.spark.sources.file import file
from penstock.spark.sources.filesystem import filesystem
from penstock.spark.sources.inline import inline
from penstock.spark.sources.kafka import kafka
from penstock.spark.sources.rows import rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame

READERS: dict[type, Callable[..., DataFrame]] = {
    DatagenSource: datagen,
    DeltaSource: delta_table,
    FileSource: file,
    FilesystemSource: filesystem,
    InlineSource: inline,
    KafkaSource: kafka,
    MergeTreeTable: delta,
    RowsSource: rows,
}
