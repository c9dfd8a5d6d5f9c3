"""Secrets of formats on their way to Java: beside the text of an expression, never in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.spark.java_class import java_class

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyspark.sql import SparkSession


class Vault:
    """Keeps the secrets of a query where Java finds them, while its expressions are analysed.

    Two readings of one table may have other secrets under the same placeholder: Java gives each a
    name of its own.
    """

    def __init__(self, session: SparkSession) -> None:
        self._vault = java_class(session, "penstock.formats.Secrets")
        self._names: list[str] = []

    def __enter__(self) -> Vault:
        return self

    def __exit__(self, *_: object) -> None:
        for name in self._names:
            self._vault.forget(name)

    def named(self, sql: str, secrets: Iterable[tuple[str, str]]) -> str:
        """An expression that calls its secrets by the names Java knows them under."""
        for placeholder, value in secrets:
            if placeholder in sql:
                name = self._vault.keep(placeholder, value)
                self._names.append(name)
                sql = sql.replace(placeholder, name)
        return sql
