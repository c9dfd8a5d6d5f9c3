"""The columns that the keys of a table at rest are made of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from penstock.model.table import Table

_KEYS = ("order_by", "primary_key", "partition_by", "sample_by")


def words(text: str | None) -> set[str]:
    """The names in an expression, those of functions among them."""
    return set(re.findall(r"[\w.]+", text or ""))


def is_key(table: Table, column: str) -> bool:
    """Whether a key of the table names a column."""
    return any(column in words(table.option(key)) for key in _KEYS)
