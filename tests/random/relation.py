"""A query as others are made of it: its text, its columns, its key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.random.tables import Column

# Stands where a batch would count no rows at all and a stream has not said a word yet.
SOME_ROWS = "/* of some rows */"


@dataclass(frozen=True)
class Relation:
    """A query: its columns, which of them tell its rows apart, whether SQLite can run it."""

    sql: str
    columns: tuple[Column, ...]
    key: tuple[str, ...] | None = None
    portable: bool = True


def listed(columns: Sequence[Column]) -> str:
    """The names of columns."""
    return ", ".join(column.name for column in columns)


def items(made: Sequence[tuple[str, Column]]) -> str:
    """Expressions under the names of columns."""
    return ", ".join(f"{sql} AS {column.name}" for sql, column in made)


def prefixed(key: tuple[str, ...] | None, alias: str) -> tuple[str, ...] | None:
    """The key, as columns of a side of a join."""
    return None if key is None else tuple(f"{alias}.{name}" for name in key)


def renamed(key: tuple[str, ...] | None, names: dict[str, str]) -> tuple[str, ...] | None:
    """The key under other names; none if a part of it is left out."""
    if key is None or not all(name in names for name in key):
        return None
    return tuple(names[name] for name in key)


def joined_key(
    word: str, left: tuple[str, ...] | None, right: tuple[str, ...] | None, *, by_key: bool
) -> tuple[str, ...] | None:
    """What tells the pairs of two sides apart: by keys either key, but that of the outer side."""
    if by_key and word in ("JOIN", "LEFT JOIN"):
        return left
    if by_key and word == "RIGHT JOIN":
        return right
    return None if left is None or right is None else (*left, *right)
