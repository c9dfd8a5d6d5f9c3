"""Changelogs for the tests of stateful operators: fed batch by batch, folded into a table."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from penstock.model.changelog import KIND_COLUMN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

KINDS = {"+I": 0, "-U": 1, "+U": 2, "-D": 3}
SIGNS = {code: sign for sign, code in KINDS.items()}
_DRAIN_TIMEOUT_S = 120
_EMPTY_BATCHES = "spark.sql.streaming.noDataMicroBatches.enabled"

Change = tuple[Any, ...]
# The changes of a batch, and the rows that are left after it.
Batch = tuple[list[Change], list[Change]]
# The batch in which all rows go.
_EMPTIED = 4


class Size(NamedTuple):
    """How many batches, and how many rows come with each."""

    batches: int
    rows: int


def random_batches(
    row: Callable[[random.Random], Change], size: Size, *, seed: int, retract: bool
) -> list[Batch]:
    """Rows that come and, where they may, go again: some with each batch, once all of them."""
    choice = random.Random(seed)
    rows: list[Change] = []
    found = []
    for number in range(size.batches):
        changes = [(*one, KINDS["+I"]) for one in (row(choice) for _ in range(size.rows))]
        rows += [change[:-1] for change in changes]
        if retract:
            gone = len(rows) if number == _EMPTIED else choice.randrange(len(rows))
            choice.shuffle(rows)
            changes += [(*one, KINDS[choice.choice(["-U", "-D"])]) for one in rows[:gone]]
            rows = rows[gone:]
        choice.shuffle(changes)
        found.append((changes, list(rows)))
    return found


class Stream:
    """A stream of one file per batch, what came out of each, and how much is kept at the end."""

    def __init__(self, spark: SparkSession, folder: Path, columns: str) -> None:
        self.spark = spark
        self.columns = columns
        self.names = spark.createDataFrame([], columns).columns
        self.inputs = folder / "in"
        self.inputs.mkdir(parents=True)
        self.checkpoint = str(folder / "checkpoint")
        self.batches: dict[int, list[Change]] = {}
        self.kept = 0

    def add(self, *rows: Change) -> None:
        """One file, newer than those before: its rows are the next batch."""
        number = len(list(self.inputs.iterdir()))
        lines = (json.dumps(dict(zip(self.names, row, strict=True))) for row in rows)
        path = self.inputs / f"{number}.json"
        path.write_text("\n".join(lines))
        os.utime(path, (number, number))

    def run(self, operator: Callable[[DataFrame], DataFrame]) -> None:
        """Read what is there, batch by batch, and stop; a later run goes on from there."""
        reader = self.spark.readStream.schema(self.columns).option("maxFilesPerTrigger", 1)
        # With a time to live Spark would go on with empty batches for ever.
        self.spark.conf.set(_EMPTY_BATCHES, "false")
        try:
            query = (
                operator(reader.json(str(self.inputs)))
                .writeStream.foreachBatch(self._keep)
                .option("checkpointLocation", self.checkpoint)
                .trigger(availableNow=True)
                .start()
            )
        finally:
            self.spark.conf.unset(_EMPTY_BATCHES)
        try:
            assert query.awaitTermination(_DRAIN_TIMEOUT_S)
            progress: Any = query.lastProgress
            self.kept = sum(state["numRowsTotal"] for state in progress["stateOperators"])
        finally:
            query.stop()

    def _keep(self, batch: DataFrame, number: int) -> None:
        self.batches[number] = [_readable(row) for row in batch.collect()]

    def changes(self) -> list[list[Change]]:
        """What came out, by batch: the kind, then the columns; changes of a row as they came."""
        return [sorted(self.batches[n], key=lambda row: str(row[1])) for n in sorted(self.batches)]

    def tables(self, key: Callable[[Change], Change] | None = None) -> list[Counter[Change]]:
        """The table after each batch; with a `key` what comes replaces the row that has it."""
        table: Counter[Change] = Counter()
        found = []
        for number in sorted(self.batches):
            if key is None:
                fold(table, self.batches[number])
            else:
                table = upserted(table, self.batches[number], key)
            found.append(table.copy())
        return found


def _readable(row: Any) -> Change:
    values = row.asDict()
    kind = values.pop(KIND_COLUMN)
    return (SIGNS[kind], *(frozen(value) for value in values.values()))


def frozen(value: Any) -> Any:
    """A value that can be counted."""
    if isinstance(value, list):
        return tuple(map(frozen, value))
    if isinstance(value, dict):
        return tuple(sorted((key, frozen(item)) for key, item in value.items()))
    return round(value, 6) if isinstance(value, float) else value


def fold(table: Counter[Change], changes: Iterable[Change]) -> None:
    """Apply the changes of one batch; what is taken back must be there."""
    for kind, *values in sorted(changes, key=lambda change: change[0] in ("-U", "-D")):
        table[tuple(values)] += 1 if kind in ("+I", "+U") else -1
    for row in [row for row, times in table.items() if times == 0]:
        del table[row]
    assert all(times > 0 for times in table.values()), table


def upserted(
    table: Counter[Change], changes: Iterable[Change], key: Callable[[Change], Change]
) -> Counter[Change]:
    """The table with the changes of one batch by key; what is replaced or goes must be there."""
    rows = {key(row): row for row in table}
    for kind, *values in changes:
        row = tuple(values)
        assert (key(row) in rows) == (kind != "+I"), (kind, row)
        if kind == "-D":
            del rows[key(row)]
        else:
            rows[key(row)] = row
    return Counter(rows.values())
