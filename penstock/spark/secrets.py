"""Secrets of formats on their way to Java: beside the text of an expression, never in it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyspark.sql import SparkSession

    from penstock.connectors.base import ScanSpec, SinkSpec

Placed = dict[str, str]


@contextmanager
def kept(
    session: SparkSession, place: str, specs: Sequence[ScanSpec | SinkSpec]
) -> Iterator[Placed]:
    """Give the secrets of a query to Java while its expressions are analysed.

    Two queries may read tables of the same name: for Java each placeholder begins with the place.
    """
    java: Any = session.sparkContext._jvm
    vault = java.penstock.formats.Secrets
    values = dict(pair for spec in specs for pair in spec.secrets)
    placed = {placeholder: f"{quote(place)}:{placeholder}" for placeholder in values}
    for placeholder, value in values.items():
        vault.keep(placed[placeholder], value)
    try:
        yield placed
    finally:
        for name in placed.values():
            vault.forget(name)


def with_place(sql: str, placed: Placed) -> str:
    """An expression that names its secrets as Java knows them."""
    for placeholder, name in placed.items():
        sql = sql.replace(placeholder, name)
    return sql
