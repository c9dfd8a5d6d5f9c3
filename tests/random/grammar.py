"""Random queries in the SQL that Flink, Spark and SQLite share, over up to three kept steps.

Every result is determined by the rows alone: a top-N orders by all columns, and only rows that come
once and for all are ordered by their arrival.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.random.expressions import Expressions
from tests.random.relation import SOME_ROWS, Relation, items, joined_key, listed, prefixed, renamed
from tests.random.tables import ARRIVAL, NUMBERS, Column

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from tests.random.tables import Table

_JOINS = ("JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN")


class Grammar:
    """Makes queries over tables."""

    def __init__(self, choice: random.Random, tables: Sequence[Table]) -> None:
        self.choice = choice
        self.tables = tables
        self.names = 0
        self.expressions = Expressions(choice)

    def query(self) -> Relation:
        """A query of one to three steps that keep rows, or of none at all."""
        found = self._relation(self.choice.choice((0, 1, 1, 1, 2, 2, 2, 3, 3)))
        return self._projected(found) if self.choice.random() < 0.4 else found

    def _relation(self, steps: int) -> Relation:
        if steps == 0:
            found = self._table()
        else:
            make: Callable[[int], Relation] = self.choice.choice(
                [
                    *[self._aggregated] * 4,
                    *[self._joined] * 4,
                    *[self._semi_joined] * 3,
                    *[self._top] * 3,
                    *[self._set_operation] * 2,
                    self._distinct,
                    self._limited,
                    self._first_or_last,
                    self._compared,
                ]
            )
            found = make(steps - 1)
        shape = self.choice.random()
        if shape < 0.15:
            return self._filtered(found)
        if shape < 0.3:
            return self._projected(found)
        return self._united(found) if shape < 0.38 else found

    def _split(self, steps: int) -> tuple[Relation, Relation]:
        if self.choice.random() < 0.08:
            twice = self._relation(steps // 2)
            return twice, twice
        left = self.choice.randint(0, steps)
        return self._relation(left), self._relation(steps - left)

    def _table(self) -> Relation:
        table = self.choice.choice(self.tables)
        sql = f"SELECT {listed(table.columns)} FROM {table.name}"
        return Relation(sql, table.columns, table.key or None)

    def _filtered(self, below: Relation) -> Relation:
        alias, names = self._alias(), listed(below.columns)
        condition = self.expressions.condition(below.columns)
        return replace(below, sql=f"SELECT {names} FROM ({below.sql}) AS {alias} WHERE {condition}")

    def _projected(self, below: Relation) -> Relation:
        kept = self._some(below.columns, 1, len(below.columns))
        made = [(column.name, self._column(column.type)) for column in kept]
        names = {name: column.name for name, column in made}
        if self.choice.random() < 0.5:
            type_, sql = self.expressions.value(below.columns)
            made.insert(self.choice.randint(0, len(made)), (sql, self._column(type_)))
        return replace(
            below,
            sql=f"SELECT {items(made)} FROM ({below.sql}) AS {self._alias()}",
            columns=tuple(column for _, column in made),
            key=renamed(below.key, names),
        )

    def _united(self, below: Relation) -> Relation:
        return self._matched(below, self._relation(0), "UNION ALL")

    def _set_operation(self, steps: int) -> Relation:
        left, right = self._split(steps)
        word = self.choice.choice(("UNION", "INTERSECT", "EXCEPT"))
        if word != "UNION" and self.choice.random() < 0.4:
            word += " ALL"
        return self._matched(left, right, word)

    def _matched(self, left: Relation, right: Relation, word: str) -> Relation:
        """Both sides with the same number of columns of the same types."""
        made: list[Column] = []
        sides: tuple[list[tuple[str, Column]], ...] = ([], [])
        for column in self._some(left.columns, 1, len(left.columns)):
            others = [c for c in right.columns if c.is_text == column.is_text]
            if not others:
                continue
            other = self.choice.choice(others)
            made.append(self._column(_wider(column.type, other.type)))
            for side, one in zip(sides, (column, other), strict=True):
                side.append((one.name, made[-1]))
        if not made:
            return left
        queries = [
            f"SELECT {items(side)} FROM ({below.sql}) AS {self._alias()}"
            for side, below in zip(sides, (left, right), strict=True)
        ]
        every_time = word.endswith("ALL")
        return Relation(
            f" {word} ".join(queries),
            tuple(made),
            None if every_time else tuple(column.name for column in made),
            left.portable and right.portable and (word == "UNION ALL" or not every_time),
        )

    def _distinct(self, steps: int) -> Relation:
        below = self._relation(steps)
        kept = self._some(below.columns, 1, 2)
        sql = f"SELECT DISTINCT {listed(kept)} FROM ({below.sql}) AS {self._alias()}"
        return replace(below, sql=sql, columns=kept, key=tuple(c.name for c in kept))

    def _aggregated(self, steps: int) -> Relation:
        below = self._relation(steps)
        by = [
            (self.expressions.key(column), self._column(column.type))
            for column in self._some(below.columns, 0, 2)
        ]
        calls = []
        for _ in range(self.choice.randint(1, 3)):
            type_, sql = self.expressions.aggregate(below.columns)
            calls.append((sql, self._column(type_)))
        sql = f"SELECT {items([*by, *calls])} FROM ({below.sql}) AS {self._alias()}"
        keys = ", ".join(text for text, _ in by)
        if by and self.choice.random() < 0.08:
            columns = tuple(column for _, column in (*by, *calls))
            return Relation(f"{sql} GROUP BY ROLLUP ({keys})", columns, portable=False)
        sql += f" GROUP BY {keys}" if by else f" {SOME_ROWS}"
        if by and self.choice.random() < 0.3:
            sql += f" HAVING {self.expressions.compared(*calls[0])}"
        key = tuple(column.name for _, column in by)
        return replace(below, sql=sql, columns=tuple(c for _, c in (*by, *calls)), key=key)

    def _joined(self, steps: int) -> Relation:
        left, right = self._split(steps)
        a, b = self._alias(), self._alias()
        by_key = self.expressions.by_key(left, right, a, b)
        condition = by_key or self.expressions.pairing(left.columns, right.columns, a, b)
        word = self.choice.choice(_JOINS)
        pairs = [
            (f"{alias}.{column.name}", self._column(column.type))
            for alias, side in ((a, left), (b, right))
            for column in self._some(side.columns, 1, len(side.columns))
        ]
        names = {name: column.name for name, column in pairs}
        keys = [renamed(prefixed(s.key, alias), names) for s, alias in ((left, a), (right, b))]
        return Relation(
            f"SELECT {items(pairs)} FROM ({left.sql}) AS {a} {word} ({right.sql}) AS {b} "
            f"ON {condition}",
            tuple(column for _, column in pairs),
            joined_key(word, keys[0], keys[1], by_key=bool(by_key)),
            left.portable and right.portable,
        )

    def _semi_joined(self, steps: int) -> Relation:
        left, right = self._split(steps)
        a, b = self._alias(), self._alias()
        word = self.choice.choice(("IN", "NOT IN", "EXISTS", "NOT EXISTS"))
        if word.endswith("IN"):
            pair = self.expressions.alike(left.columns, right.columns)
            if pair is None:
                return left
            values = f"SELECT {pair[1].name} FROM ({right.sql}) AS {b}"
            condition = f"{a}.{pair[0].name} {word} ({values})"
        else:
            by_key = self.expressions.by_key(left, right, a, b)
            pairing = by_key or self.expressions.pairing(left.columns, right.columns, a, b)
            condition = f"{word} (SELECT * FROM ({right.sql}) AS {b} WHERE {pairing})"
        # Spark has no NOT IN inside of OR; EXISTS there is by equalities only.
        if (word == "IN" or (word != "NOT IN" and by_key)) and self.choice.random() < 0.4:
            condition += f" OR {self.expressions.condition(left.columns)}"
        return replace(
            left,
            sql=f"SELECT {listed(left.columns)} FROM ({left.sql}) AS {a} WHERE {condition}",
            portable=left.portable and right.portable,
        )

    def _compared(self, steps: int) -> Relation:
        """With a single value of another query."""
        left, right = self._split(steps)
        pair = self.expressions.alike(left.columns, right.columns)
        if pair is None:
            return left
        call = self.choice.choice(("MIN", "MAX"))
        value = f"SELECT {call}({pair[1].name}) FROM ({right.sql}) AS {self._alias()} {SOME_ROWS}"
        sign = self.choice.choice(("=", "<", ">=", "<>"))
        condition = f"{pair[0].name} {sign} ({value})"
        names = listed(left.columns)
        return replace(
            left,
            sql=f"SELECT {names} FROM ({left.sql}) AS {self._alias()} WHERE {condition}",
            portable=left.portable and right.portable,
        )

    def _top(self, steps: int) -> Relation:
        below = self._relation(steps)
        function = self.choice.choice(("ROW_NUMBER", "ROW_NUMBER", "RANK"))
        partition = [c.name for c in self._some(below.columns, 0, 1)]
        most = len(below.columns)
        order = self._order(
            self._some(below.columns, most if function == "ROW_NUMBER" else 1, most)
        )
        by = f"PARTITION BY {', '.join(partition)} " if partition else ""
        number = self._column("BIGINT")
        ranked = (
            f"SELECT *, {function}() OVER ({by}ORDER BY {order}) AS {number.name} "
            f"FROM ({below.sql}) AS {self._alias()}"
        )
        last = self.choice.randint(1, 3)
        bounds = [f"{number.name} <= {last}"]
        if last > 1 and self.choice.random() < 0.25:
            bounds.append(f"{number.name} > 1")
        elif last == 1 and self.choice.random() < 0.5:
            bounds = [f"{number.name} = 1"]
        numbered = self.choice.random() < 0.5
        columns = (*below.columns, number) if numbered else below.columns
        key = below.key
        if function == "ROW_NUMBER" and (last == 1 or numbered):
            key = (*partition, *([number.name] if last > 1 else []))
        sql = (
            f"SELECT {listed(columns)} FROM ({ranked}) AS {self._alias()} "
            f"WHERE {' AND '.join(bounds)}"
        )
        return replace(below, sql=sql, columns=columns, key=key)

    def _limited(self, steps: int) -> Relation:
        below = self._relation(steps)
        order = self._order(self._some(below.columns, len(below.columns), len(below.columns)))
        sql = f"SELECT {listed(below.columns)} FROM ({below.sql}) AS {self._alias()}"
        sql += f" ORDER BY {order} LIMIT {self.choice.randint(1, 4)}"
        if self.choice.random() < 0.3:
            sql += f" OFFSET {self.choice.randint(1, 2)}"
        return replace(below, sql=f"SELECT * FROM ({sql}) AS {self._alias()}")

    def _first_or_last(self, steps: int) -> Relation:
        """One row of each key by when it came, where rows only come; else a top-N."""
        tables = [table for table in self.tables if table.appends]
        if steps or not tables:
            return self._top(steps)
        table = self.choice.choice(tables)
        by = tuple(column.name for column in self._some(table.columns, 1, 2))
        number = self._column("BIGINT").name
        ranked = (
            f"SELECT *, ROW_NUMBER() OVER (PARTITION BY {', '.join(by)} ORDER BY {ARRIVAL} "
            f"{self.choice.choice(('ASC', 'DESC'))}) AS {number} FROM {table.name}"
        )
        if self.choice.random() < 0.3:
            ranked += f" WHERE {self.expressions.condition(table.columns)}"
        sql = (
            f"SELECT {listed(table.columns)} FROM ({ranked}) AS {self._alias()} WHERE {number} = 1"
        )
        return Relation(sql, table.columns, by)

    def _order(self, columns: Sequence[Column]) -> str:
        return ", ".join(f"{c.name} {self.choice.choice(('ASC', 'DESC'))}" for c in columns)

    def _some(self, columns: Sequence[Column], least: int, most: int) -> tuple[Column, ...]:
        count = self.choice.randint(min(least, len(columns)), min(most, len(columns)))
        return tuple(self.choice.sample(list(columns), count))

    def _alias(self) -> str:
        self.names += 1
        return f"q{self.names}"

    def _column(self, type_: str) -> Column:
        self.names += 1
        return Column(f"c{self.names}", type_)


def _wider(a: str, b: str) -> str:
    """The type of a column of two, both of which are texts or numbers."""
    return max(a, b, key=NUMBERS.index) if a in NUMBERS else a
