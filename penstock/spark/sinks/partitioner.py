"""A partitioner written in Python: the one case where a sink's rows go through Python."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark import cloudpickle
from pyspark.sql import functions as F

from penstock.errors import OptionError
from penstock.spark.java_class import java_class

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from pyspark.sql import DataFrame

    from penstock.connectors.kafka_specs import KafkaTarget, Partitioner

    Choose = Callable[[bytes | None, bytes | None, str, int], int]


def with_partition(records: DataFrame, target: KafkaTarget, table: str) -> DataFrame:
    """The records, with the partition that a Python partitioner chooses for each.

    It is a function `partition(key, value, topic, partitions)`, or a class with such a method, and
    gives a number from 0 to `partitions - 1`; None leaves the choice to Kafka.
    """
    if target.partitioner.kind != "python":
        return records
    choose = _load(target.partitioner, table)
    topic = F.lit(target.topics[0]) if len(target.topics) == 1 else F.col("topic")
    key = F.col("key") if "key" in records.columns else F.lit(None).cast("binary")
    counts = _partitions(records, target)
    name = f"table={table} class={target.partitioner.name}"
    chosen = F.udf(_for_rows(choose, counts, name), "int", useArrow=True)
    return records.withColumn("partition", chosen(key, F.col("value"), topic))


def _for_rows(choose: Choose, counts: dict[str, int], name: str) -> Callable[..., int | None]:
    def partition(key: bytes | None, value: bytes | None, topic: str | None) -> int | None:
        # A topic that may not be written is the writer's to refuse.
        if topic not in counts:
            return None
        try:
            return choose(key, value, topic, counts[topic])
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise RuntimeError(f"PENSTOCK_PARTITIONER {name} reason={reason}") from error

    return partition


def _partitions(records: DataFrame, target: KafkaTarget) -> dict[str, int]:
    topics = java_class(records.sparkSession, "penstock.kafka.sink.SinkTopics")
    properties = dict(target.properties)
    names = topics.matching(properties, target.pattern) if target.pattern else list(target.topics)
    return {str(name): int(count) for name, count in topics.partitions(properties, names).items()}


def _load(partitioner: Partitioner, table: str) -> Choose:
    module_name, _, name = partitioner.name.rpartition(".")
    try:
        module = _module(module_name, partitioner.folders)
        found: Any = getattr(module, name)
        made: Any = found() if inspect.isclass(found) else None
        choose = found if made is None else made.partition
    except Exception as error:  # the module's own code may raise anything
        raise OptionError(
            "REFUSED_OPTION",
            table=table,
            problem=f"Could not find and instantiate partitioner class '{partitioner.name}': "
            f"{type(error).__name__}: {error}.",
            instead="It is a function `partition(key, value, topic, partitions)`, or a class with "
            "such a method.",
        ) from error
    # Its code travels along: the workers' path may be another one.
    cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]
    return choose  # type: ignore[no-any-return]


def _module(name: str, folders: tuple[str, ...]) -> ModuleType:
    for folder in folders:
        file = Path(folder, *name.split(".")).with_suffix(".py")
        if file.is_file():
            spec = importlib.util.spec_from_file_location(name, file)
            assert spec and spec.loader  # noqa: S101 — a .py file has a loader
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module  # where cloudpickle looks it up
            spec.loader.exec_module(module)
            return module
    return importlib.import_module(name)
