"""Tables at rest as Delta tables: what a session needs for them, and what is done to a table.

What is done to rows is Delta's own: every change of a table is one commit, seen whole or not at
all.
"""

from __future__ import annotations

import re
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from penstock.connectors.merge_rules import PARTITION, ROW
from penstock.errors import SetupError
from penstock.model.types import literal, quote
from penstock.spark.java_class import java_class
from penstock.spark.merge import NUMBER, merged
from penstock.spark.session import active

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame, SparkSession

    from penstock.connectors.merge_rules import Merge
    from penstock.plan.nodes import Named

# What only a session that was started with it can have.
LAUNCH_SETTINGS = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
}
# What sessions that we start have, too: several processes write to a table.
LOG_SETTINGS = {"spark.delta.logStore.file.impl": "penstock.delta.LocalLogStore"}
SESSION_SETTINGS = {
    # Logs of our tables are small: Delta would read each with fifty tasks.
    "spark.databricks.delta.snapshotPartitions": "1",
    # Delta lists the files of a table with as many tasks, by default 10,000, before it removes any.
    "spark.sql.sources.parallelPartitionDiscovery.parallelism": "4",
    # Else each time leaves two commits for views to look at.
    "spark.databricks.delta.vacuum.logging.enabled": "false",
}
# Columns may have any name, and be renamed and dropped without touching the rows.
_ANY_NAME = "'delta.columnMapping.mode' = 'name'"
# A file that is read whole in a moment, and small enough that others are passed over.
_FILE_BYTES = 128 * 1024 * 1024
# Which of two rows came later is asked where rows are merged.
_NUMBERED = "'delta.enableRowTracking' = 'true'"
# A summary of the log takes as long as three blocks: Delta would make one at every tenth commit.
_LOG = "'delta.checkpointInterval' = '100'"
# Delta would keep them of 32 columns: with as many texts, a fifth of the time a row takes.
_NO_INDEX = "'delta.dataSkippingNumIndexedCols' = '0'"
_DELTA_LOG = "org.apache.spark.sql.delta.DeltaLog"
_HAS_ORDER = re.compile(
    r"(TINYINT|SMALLINT|INT|BIGINT|FLOAT|DOUBLE|STRING|DATE|TIMESTAMP(_NTZ)?|DECIMAL\(.*\))", re.I
)


def _lifetime(seconds: int) -> str:
    return f"'delta.deletedFileRetentionDuration' = 'interval {seconds} seconds'"


def require_delta(session: SparkSession) -> None:
    """Refuse a session that was started without Delta; set what can be set later."""
    missing = {
        key: value
        for key, value in LAUNCH_SETTINGS.items()
        if value not in (session.conf.get(key, "") or "")
    }
    if missing:
        wanted = ", ".join(f".config({key!r}, {value!r})" for key, value in missing.items())
        raise SetupError("SESSION_LACKS_DELTA", settings=wanted)
    for key, value in SESSION_SETTINGS.items():
        session.conf.set(key, value)


def delta_path(path: str) -> str:
    """A folder as Delta takes it in statements: from the root on, or with its file system."""
    return path if ":/" in path else str(Path(path).absolute())


class StoredTable:
    """The Delta table in one folder."""

    def __init__(self, session: SparkSession, path: str) -> None:
        self._session = session
        self._path = path
        self._name = f"delta.{quote(path)}"

    def create(
        self,
        schema: tuple[tuple[str, str], ...],
        *,
        lifetime_s: int,
        indexed: tuple[str, ...] = (),
        numbered: bool = False,
        partitioned: bool = False,
    ) -> None:
        """A table without rows; what a creation that broke off has left is removed.

        Of the columns that are `indexed` each file's least and greatest value are known. Files that
        are replaced stay for their lifetime.
        """
        self.remove()
        hidden = ((PARTITION, "STRING"),) if partitioned else ()
        columns = ", ".join(f"{quote(name)} {sql}" for name, sql in (*schema, *hidden))
        known = [quote(n) for n, sql in schema if n in indexed and _HAS_ORDER.fullmatch(sql)]
        index = f"'delta.dataSkippingStatsColumns' = {literal(','.join(known))}"
        properties = ", ".join(
            [
                *(_ANY_NAME, _LOG, index if known else _NO_INDEX, _lifetime(lifetime_s)),
                *([_NUMBERED] if numbered else []),
            ]
        )
        by = f"PARTITIONED BY ({PARTITION}) " if partitioned else ""
        self._run(
            f"CREATE TABLE {self._name} ({columns}) USING delta {by}TBLPROPERTIES ({properties})"
        )

    def remove(self) -> None:
        """The folder with all that is in it."""
        shutil.rmtree(Path(self._path), ignore_errors=True)

    def empty(self, partition: str | None = None) -> None:
        """Take out all rows, or those of one partition: then no file is read."""
        self._run(f"DELETE FROM {self._name}{self._where(partition)}")  # noqa: S608 — a folder of ours

    def compact(self, partition: str | None = None) -> None:
        """Make few files of many; readers of new rows see nothing new."""
        self._run(f"OPTIMIZE {self._name}{self._where(partition)}")

    def keep_files(self, lifetime_s: int) -> None:
        """Say for how long files that are replaced stay."""
        self._run(f"ALTER TABLE {self._name} SET TBLPROPERTIES ({_lifetime(lifetime_s)})")

    @property
    def lifetime_s(self) -> float:
        """How long files that are replaced stay."""
        logs = java_class(self._session, _DELTA_LOG)
        with self._snapshot() as snapshot:
            return float(logs.tombstoneRetentionMillis(snapshot.metadata())) / 1000

    def remove_old_files(self) -> None:
        """Files that no version of their lifetime has, and what broke off before that, go."""
        self._run(f"VACUUM {self._name}")

    def rewrite_sorted(
        self, order: tuple[str, ...], *, rule: Merge | None = None, partition: str | None = None
    ) -> None:
        """Write all rows anew, of each key one by the rule, in files of one range of the order.

        Readers of new rows see nothing new.
        """
        where = self._where(partition).removeprefix(" WHERE ")
        rows = self._rows().where(where) if where else self._rows()
        by = [PARTITION] if PARTITION in rows.columns else []
        # Of two rows of a key that a rule leaves, the one that cancels goes first.
        by += [*order, *([quote(rule.sign)] if rule and rule.sign else [])]
        found = merged(rows, rule) if rule else rows
        if by:
            keys = [F.expr(sql) for sql in by]
            found = found.repartitionByRange(self._files(), *keys).sortWithinPartitions(*keys)
        writer = found.write.format("delta").mode("overwrite").option("dataChange", "false")
        (writer.option("replaceWhere", where) if where else writer).save(self._path)

    def _files(self) -> int:
        """How many files the table is to have."""
        size = self._run(f"DESCRIBE DETAIL {self._name}")[0]["sizeInBytes"]
        return 1 + int(size or 0) // _FILE_BYTES

    def _where(self, partition: str | None) -> str:
        """The clause for one partition, with its id as Delta wants it: a plain text."""
        if partition is None:
            return ""
        (found,) = self._run(f"SELECT {partition} AS id")[0]
        return f" WHERE {PARTITION} = {literal(found)}"

    def mutate(
        self,
        gone: str,
        columns: tuple[tuple[str, str, str], ...],
        *,
        partition: str | None = None,
    ) -> None:
        """Take out rows of a condition, and give columns other values where theirs holds.

        Files without such rows are not written anew.
        """
        only = self._where(partition).replace(" WHERE ", " AND ")
        if gone:
            self._run(f"DELETE FROM {self._name} WHERE ({gone}){only}")  # noqa: S608 — planned
        if columns:
            values = (
                f"{quote(name)} = if({past}, {default}, {quote(name)})"
                for name, past, default in columns
            )
            past = " OR ".join(f"({past})" for _, past, _ in columns)
            self._run(
                f"UPDATE {self._name} SET {', '.join(values)} WHERE ({past}){only}"  # noqa: S608
            )

    def mark(self) -> int:
        """A commit of nothing, by whose number a reader can begin; writers do not notice it."""
        nothing = self._module("scala.collection.immutable.Nil")
        empty = self._module("org.apache.spark.sql.delta.DeltaOperations$EmptyCommit")
        with active(self._session):
            return int(self._log().startTransaction().commit(nothing, empty))

    @property
    def version(self) -> int:
        """The number of the newest commit."""
        return int(self._run(f"DESCRIBE HISTORY {self._name} LIMIT 1")[0]["version"])

    def last_batch(self, writer: str) -> int:
        """The number of the last batch that a stream has added; -1 if it added none."""
        with self._snapshot() as snapshot:
            found = snapshot.transactions().get(writer)
        return int(found.get()) if found.isDefined() else -1

    @property
    def id(self) -> str:
        """The id that it keeps, by which streams know it."""
        return str(self._run(f"DESCRIBE DETAIL {self._name}")[0]["id"])

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns."""
        return tuple(self._rows().columns)

    def has_columns(self, schema: tuple[tuple[str, str], ...]) -> bool:
        """Whether it has these columns, in these types, and no others."""
        empty = self._session.sql(
            "SELECT " + ", ".join(f"CAST(NULL AS {sql}) AS {quote(name)}" for name, sql in schema)
        )
        wanted = {field.name: field.dataType.simpleString() for field in empty.schema}
        found = {field.name: field.dataType.simpleString() for field in self._rows().schema}
        return {name: type_ for name, type_ in found.items() if name != PARTITION} == wanted

    def rename_column(self, old: str, new: str) -> None:
        """Another name for a column."""
        self._run(f"ALTER TABLE {self._name} RENAME COLUMN {quote(old)} TO {quote(new)}")

    def drop_column(self, name: str) -> None:
        """Forget a column."""
        self._run(f"ALTER TABLE {self._name} DROP COLUMN {quote(name)}")

    def add_columns(self, columns: tuple[tuple[str, str], ...]) -> None:
        """Columns of which rows so far have no value."""
        listed = ", ".join(f"{quote(name)} {sql}" for name, sql in columns)
        self._run(f"ALTER TABLE {self._name} ADD COLUMNS ({listed})")

    def rewrite(self, columns: Named, *, numbered: bool = False) -> None:
        """Make every row anew, in one commit; those that are `numbered` stay in their order."""
        rows = self._rows()
        # Columns of keys stay what they are, and so does a row's partition.
        kept = [PARTITION] if PARTITION in rows.columns else []
        order = [F.col(NUMBER).alias(ROW)] if numbered else []
        values = (F.expr(expr.sql).alias(name) for name, expr in columns)
        made = rows.select(*values, *kept, *order)
        if numbered:
            ranges = made.repartitionByRange(self._files(), ROW)
            made = ranges.sortWithinPartitions(*kept, ROW).drop(ROW)
        writer = made.write.format("delta").mode("overwrite").option("overwriteSchema", "true")
        (writer.partitionBy(PARTITION) if kept else writer).save(self._path)

    def _module(self, name: str) -> Any:
        """An object of Scala."""
        return getattr(java_class(self._session, f"{name}$"), "MODULE$")

    def _log(self) -> Any:
        logs = java_class(self._session, _DELTA_LOG)
        return logs.forTable(self._session._jsparkSession, self._path)

    @contextmanager
    def _snapshot(self) -> Iterator[Any]:
        """The table as it is; what is asked of it may read the log, with the session's settings."""
        none = java_class(self._session, "scala.Option").empty()
        with active(self._session):
            yield self._log().update(False, none, none)

    def _rows(self) -> DataFrame:
        return self._session.read.format("delta").load(self._path)

    def _run(self, sql: str) -> list[Any]:
        return self._session.sql(sql).collect()
