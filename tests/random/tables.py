"""Random tables: their columns, their messages batch by batch, and the rows that these leave."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random

# Where a row of an append-only table stands among all that came: what PROCTIME() orders by.
ARRIVAL = "seen"
MODES = ("append", "upsert", "retract", "retract by key")
NUMBERS = ("INT", "BIGINT", "DOUBLE")
_TYPES = ("INT", "INT", "BIGINT", "DOUBLE", "STRING", "STRING")
_VALUES: dict[str, list[Any]] = {
    "INT": [None, *range(-1, 4)],
    "BIGINT": [None, -2, 0, 1, 2, 3_000_000_000],
    # Sums of halves are exact, in any order.
    "DOUBLE": [None, -1.5, -0.0, 0.0, 0.5, 2.0],
    "STRING": [None, "", "a", "b", "ü"],
}
_MOST_KEYS = 6
_MOST_CHANGES = 12

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Column:
    """A column of a table or of a query."""

    name: str
    type: str

    @property
    def is_text(self) -> bool:
        return self.type == "STRING"

    @property
    def is_whole(self) -> bool:
        return self.type in ("INT", "BIGINT")


@dataclass(frozen=True)
class Message:
    """One record of a topic: texts of its key and its value."""

    key: str | None
    value: str | None


@dataclass
class Table:
    """A table, what its topic tells in each batch, and the rows left after each."""

    name: str
    mode: str
    columns: tuple[Column, ...]
    key: tuple[str, ...] = ()
    key_in_value: bool = True
    batches: list[list[Message]] = field(default_factory=list)
    left: list[list[Row]] = field(default_factory=list)

    @property
    def appends(self) -> bool:
        return self.mode == "append"

    @property
    def stored(self) -> tuple[Column, ...]:
        """The columns of `left`: an append-only table has the order of arrival, too."""
        return (*self.columns, Column(ARRIVAL, "BIGINT")) if self.appends else self.columns

    def ddl(self, options: str) -> str:
        """CREATE TABLE; `options` say where its topic is."""
        parts = [f"{column.name} {column.type}" for column in self.columns]
        if self.appends:
            parts.append(f"{ARRIVAL} AS PROCTIME()")
        if self.key:
            parts.append(f"PRIMARY KEY ({', '.join(self.key)}) NOT ENFORCED")
        return f"CREATE TABLE {self.name} ({', '.join(parts)}) WITH ({self._with(options)});"

    def _with(self, options: str) -> str:
        if self.mode == "upsert":
            include = "ALL" if self.key_in_value else "EXCEPT_KEY"
            return (
                f"'connector' = 'upsert-kafka', {options}, 'key.format' = 'json', "
                f"'value.format' = 'json', 'value.fields-include' = '{include}'"
            )
        format_ = "json" if self.appends else "debezium-json"
        return (
            f"'connector' = 'kafka', {options}, 'scan.startup.mode' = 'earliest-offset', "
            f"'format' = '{format_}'"
        )


def random_tables(choice: random.Random, batches: int) -> list[Table]:
    """Two or three tables with their changes."""
    tables = []
    for name in "abc"[: choice.choice((2, 2, 3))]:
        table = _random_table(choice, name)
        changes = _Changes(choice, table)
        for _ in range(batches):
            changes.add_batch()
        tables.append(table)
    return tables


def _random_table(choice: random.Random, name: str) -> Table:
    mode = choice.choice(MODES)
    others = [Column(f"v{n}", choice.choice(_TYPES)) for n in range(choice.randint(2, 3))]
    columns = (Column("id", "INT"), Column("g", "STRING"), *others)
    key: tuple[str, ...] = ()
    if mode in ("upsert", "retract by key"):
        key = choice.choice([("id",), ("id",), ("id", "g"), ("g", "id")])
    return Table(name, mode, columns, key, key_in_value=choice.random() < 0.5)


class _Changes:
    """Makes the messages of a table, and follows what they leave."""

    def __init__(self, choice: random.Random, table: Table) -> None:
        self.choice = choice
        self.table = table
        self.rows: list[Row] = []
        self.seen = 0

    def add_batch(self) -> None:
        messages = []
        if self.choice.random() < 0.1:
            messages += self._all_gone()
        for _ in range(self.choice.randint(0, _MOST_CHANGES)):
            messages += self._change()
        self.table.batches.append(messages)
        self.table.left.append(list(self.rows))

    def _change(self) -> list[Message]:
        if self.table.mode == "append":
            return [self._appended()]
        if self.table.mode == "upsert":
            return [self._upserted()]
        return [self._retracted()]

    def _appended(self) -> Message:
        row = self._random_row()
        self.rows.append((*row, self.seen))
        self.seen += 1
        return Message(None, self._json(row))

    def _upserted(self) -> Message:
        row = self._random_row()
        before = self._same_key(row)
        if before:
            self.rows.remove(before)
        if self.choice.random() < 0.3:
            return self._deleted(row)
        self.rows.append(row)
        key, value = self._named(row, self.table.key), self._named(row)
        if not self.table.key_in_value:
            value = {name: one for name, one in value.items() if name not in key}
        return Message(json.dumps(key), json.dumps(value))

    def _deleted(self, row: Row) -> Message:
        return Message(json.dumps(self._named(row, self.table.key)), None)

    def _retracted(self) -> Message:
        row = self._random_row()
        before = self._same_key(row) if self.table.key else self._any_row()
        if before is None:
            self.rows.append(row)
            return self._told("c", None, row)
        self.rows.remove(before)
        if self.choice.random() < 0.4:
            return self._told("d", before, None)
        self.rows.append(row)
        return self._told("u", before, row)

    def _all_gone(self) -> list[Message]:
        if self.table.appends:
            return []
        gone, self.rows = self.rows, []
        if self.table.mode == "upsert":
            return [self._deleted(row) for row in gone]
        return [self._told("d", row, None) for row in gone]

    def _told(self, op: str, before: Row | None, after: Row | None) -> Message:
        sides = {"before": before, "after": after}
        told = {name: self._named(row) if row else None for name, row in sides.items()}
        return Message(None, json.dumps({**told, "op": op}))

    def _any_row(self) -> Row | None:
        return self.choice.choice(self.rows) if self.rows and self.choice.random() < 0.5 else None

    def _same_key(self, row: Row) -> Row | None:
        key = self._named(row, self.table.key)
        return next((r for r in self.rows if self._named(r, self.table.key) == key), None)

    def _random_row(self) -> Row:
        found = []
        for column in self.table.columns:
            values = _VALUES[column.type]
            if column.name == "id":
                values = list(range(1, _MOST_KEYS + 1))
            elif column.name in self.table.key:
                values = [value for value in values if value is not None]
            found.append(self.choice.choice(values))
        return tuple(found)

    def _named(self, row: Row, names: tuple[str, ...] = ()) -> dict[str, Any]:
        pairs = zip(self.table.columns, row, strict=False)
        return {c.name: value for c, value in pairs if not names or c.name in names}

    def _json(self, row: Row) -> str:
        return json.dumps(self._named(row))
