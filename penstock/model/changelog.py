"""How a relation changes over time: Flink's row kinds and changelog modes."""

from __future__ import annotations

from enum import Enum

# The hidden column of rows that are more than inserts: a `RowKind` by its number, TINYINT.
KIND_COLUMN = "__kind"


class RowKind(Enum):
    """What a row of a changelog says about its table."""

    INSERT = "+I"
    UPDATE_BEFORE = "-U"
    UPDATE_AFTER = "+U"
    DELETE = "-D"


class ChangelogMode(Enum):
    """The kinds of rows that travel along one edge of a plan."""

    APPEND = "append"
    UPSERT = "upsert"
    RETRACT = "retract"
