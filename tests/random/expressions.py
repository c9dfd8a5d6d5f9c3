"""Random values, conditions and aggregates over given columns."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from tests.random.relation import Relation
    from tests.random.tables import Column

_TEXTS = ("''", "'a'", "'b'")
_NUMBERS = ("0", "1", "2")


class Expressions:
    """Makes expressions that mean the same in Flink, Spark and SQLite."""

    def __init__(self, choice: random.Random) -> None:
        self.choice = choice

    def value(self, columns: Sequence[Column]) -> tuple[str, str]:
        """An expression with its type."""
        column = self.choice.choice(columns)
        name = column.name
        if column.is_text:
            return "STRING", self.choice.choice(
                (f"{name} || 'x'", f"COALESCE({name}, 'z')", f"NULLIF({name}, 'a')")
            )
        case = f"CASE WHEN {self.condition(columns)} THEN {name} ELSE 0 END"
        sums = [f"{name} + 1", f"COALESCE({name}, 7)", f"- {name}", case]
        return column.type, self.choice.choice(sums + [f"{name} % 3"] * column.is_whole)

    def key(self, column: Column) -> str:
        """What rows are grouped by: mostly the column as it is."""
        if self.choice.random() < 0.75:
            return column.name
        if column.is_whole:
            return f"{column.name} % 2"
        return f"COALESCE({column.name}, {_TEXTS[1] if column.is_text else _NUMBERS[1]})"

    def compared(self, sql: str, column: Column) -> str:
        """A condition on what a column of the result is computed by."""
        literal = self.choice.choice(_TEXTS if column.is_text else _NUMBERS)
        return self.choice.choice((f"{sql} > {literal}", f"{sql} <> {literal}", f"{sql} IS NULL"))

    def condition(self, columns: Sequence[Column], depth: int = 1) -> str:
        """A condition; with `depth` one that may be made of two."""
        if depth and self.choice.random() < 0.3:
            word = self.choice.choice(("AND", "OR"))
            a, b = (self.condition(columns, depth - 1) for _ in range(2))
            return f"({a} {word} {b})"
        column = self.choice.choice(columns)
        name, literals = column.name, _TEXTS if column.is_text else _NUMBERS
        a, b = self.choice.sample(literals, 2)
        sign = self.choice.choice(("=", "<>", "<", ">="))
        return self.choice.choice(
            (
                f"{name} {sign} {a}",
                f"{name} {sign} {a}",
                f"{name} IN ({a}, {b})",
                f"{name} NOT IN ({a}, {b})",
                f"{name} IS NULL",
                f"{name} IS NOT NULL",
                f"NOT ({name} {sign} {a})",
            )
        )

    def alike(
        self, left: Sequence[Column], right: Sequence[Column]
    ) -> tuple[Column, Column] | None:
        """A column of each side that can be compared, if there are any."""
        pairs = [(a, b) for a in left for b in right if a.is_text == b.is_text]
        return self.choice.choice(pairs) if pairs else None

    def pairing(self, left: Sequence[Column], right: Sequence[Column], a: str, b: str) -> str:
        """A condition over the rows of two sides, mostly with an equality."""
        first, second = self.alike(left, right), self.alike(left, right)
        if first is None or second is None:
            return "TRUE"
        terms = []
        if self.choice.random() < 0.92:
            terms.append(f"{a}.{first[0].name} = {b}.{first[1].name}")
        if not terms or self.choice.random() < 0.3:
            sign = self.choice.choice(("<", ">=", "<>"))
            terms.append(f"{a}.{second[0].name} {sign} {b}.{second[1].name}")
        terms += self._of_one_side(left, right, a, b)
        self.choice.shuffle(terms)
        return " AND ".join(terms)

    def _of_one_side(
        self, left: Sequence[Column], right: Sequence[Column], a: str, b: str
    ) -> list[str]:
        """Sometimes a condition that speaks of one side of a join alone."""
        if self.choice.random() < 0.7:
            return []
        alias, columns = self.choice.choice(((a, left), (b, right)))
        named = [replace(column, name=f"{alias}.{column.name}") for column in columns]
        return [f"({self.condition(named)})"]

    def by_key(self, left: Relation, right: Relation, a: str, b: str) -> str:
        """That the keys of two sides are equal; "" if they cannot be, or need not."""
        sides = [
            [column for column in side.columns if column.name in (side.key or ())]
            for side in (left, right)
        ]
        types = [[column.type for column in side] for side in sides]
        if not sides[0] or types[0] != types[1] or self.choice.random() < 0.3:
            return ""
        pairs = zip(*sides, strict=True)
        terms = [f"{a}.{one.name} = {b}.{other.name}" for one, other in pairs]
        return " AND ".join([*terms, *self._of_one_side(left.columns, right.columns, a, b)])

    def aggregate(self, columns: Sequence[Column]) -> tuple[str, str]:
        """An aggregate with its type."""
        column = self.choice.choice(columns)
        calls = [
            ("BIGINT", "COUNT(*)"),
            ("BIGINT", f"COUNT({column.name})"),
            ("BIGINT", f"COUNT(DISTINCT {column.name})"),
            (column.type, f"MIN({column.name})"),
            (column.type, f"MAX({column.name})"),
        ]
        if not column.is_text:
            calls.append((column.type, f"SUM({column.name})"))
            calls.append((column.type, f"SUM(DISTINCT {column.name})"))
        if column.is_whole:
            calls.append((column.type, f"AVG({column.name})"))
        type_, sql = self.choice.choice(calls)
        if "DISTINCT" not in sql and "AVG" not in sql and self.choice.random() < 0.2:
            sql += f" FILTER (WHERE {self.condition(columns)})"
        return type_, sql
