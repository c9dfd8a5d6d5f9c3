"""`sink.partitioner`: one of Kafka's ways to choose a partition, or a class of the user's own."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.connectors.kafka_rules import refusal
from penstock.connectors.kafka_specs import Partitioner

if TYPE_CHECKING:
    from penstock.model.table import Table

_KEY = "sink.partitioner"
# Flink's `round-robin` has long been Kafka's own way; its class of fixed partitions is `fixed`.
_KINDS = {
    "default": "default",
    "round-robin": "default",
    "fixed": "fixed",
    "org.apache.flink.streaming.connectors.kafka.partitioner.FlinkFixedPartitioner": "fixed",
}


def read_partitioner(table: Table, name: str, folders: tuple[str, ...]) -> Partitioner:
    """What the name stands for; a class of Java is looked for when the job starts."""
    if name in _KINDS:
        return Partitioner(_KINDS[name])
    module, _, _ = name.rpartition(".")
    if not module:
        raise refusal(
            table,
            _KEY,
            f"Could not find and instantiate partitioner class '{name}'.",
            "Write 'default', 'fixed', 'round-robin', the full name of a Java class, or "
            "'module.Name' of a Python class beside the script.",
        )
    return Partitioner("python" if _is_python(module, folders) else "java", name, folders)


def _is_python(module: str, folders: tuple[str, ...]) -> bool:
    files = (Path(folder, *module.split(".")).with_suffix(".py") for folder in folders)
    if any(file.is_file() for file in files):
        return True
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False
