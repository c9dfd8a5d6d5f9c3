"""Penstock: streaming SQL over Kafka on Spark.

>>> import penstock
>>> job = penstock.Session(spark).execute(open("job.sql").read())  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import (
    DataError,
    KafkaError,
    OptionError,
    PenstockError,
    PlanError,
    RunError,
    SetupError,
    SqlError,
)
from penstock.version import __version__

if TYPE_CHECKING:
    from penstock.runtime.job import Job
    from penstock.runtime.session import Session, spark_jars

__all__ = [
    "DataError",
    "Job",
    "KafkaError",
    "OptionError",
    "PenstockError",
    "PlanError",
    "RunError",
    "Session",
    "SetupError",
    "SqlError",
    "__version__",
    "spark_jars",
]

# Imported on first use: they bring sqlglot and more, which `penstock --help` does without.
_LAZY = {
    "Job": "penstock.runtime.job",
    "Session": "penstock.runtime.session",
    "spark_jars": "penstock.runtime.session",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module 'penstock' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)
