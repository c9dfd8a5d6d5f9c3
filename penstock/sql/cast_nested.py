"""Arrays, maps, multisets and rows converted part by part; fields of rows by their position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from penstock.model.types import literal, quote

if TYPE_CHECKING:
    from penstock.model.types import DataType


class Cast(Protocol):
    """Converts one value."""

    def __call__(self, sql: str, source: DataType, target: DataType, /) -> str:
        """The value in the other type."""


def alike(source: DataType, target: DataType) -> bool:
    """Whether the types differ in nothing but in what may be NULL."""
    if source.children or target.children:
        return (
            source.root == target.root
            and len(source.children) == len(target.children)
            and all(
                alike(mine[1], theirs[1]) and (source.root != "ROW" or mine[0] == theirs[0])
                for mine, theirs in zip(source.children, target.children, strict=True)
            )
        )
    return source.as_nullable() == target.as_nullable()


def nested(sql: str, source: DataType, target: DataType, cast: Cast, depth: int = 0) -> str:
    """The value in the other type; `cast` converts what is not nested."""
    if _renamed(source, target):
        return f"CAST({sql} AS {target.spark_sql()})"
    part = f"v{depth}"

    def inner(value: str, mine: DataType, theirs: DataType) -> str:
        if mine.children and theirs.children and not alike(mine, theirs):
            return nested(value, mine, theirs, cast, depth + 1)
        return cast(value, mine, theirs)

    if target.root == "ROW":
        fields = (
            f"{literal(name)}, {inner(f'{sql}.{quote(old)}', mine, theirs)}"
            for (old, mine), (name, theirs) in zip(source.children, target.children, strict=True)
        )
        return f"if({sql} IS NULL, NULL, named_struct({', '.join(fields)}))"
    if target.root == "ARRAY":
        element = inner(part, source.children[0][1], target.children[0][1])
        return f"transform({sql}, {part} -> {element})"
    (key, value), (new_key, new_value) = source.entry, target.entry
    keys = sql
    if not alike(key, new_key):
        keys = f"transform_keys({sql}, ({part}, w{depth}) -> {inner(part, key, new_key)})"
    if alike(value, new_value):
        return keys
    return f"transform_values({keys}, (w{depth}, {part}) -> {inner(part, value, new_value)})"


def _renamed(source: DataType, target: DataType) -> bool:
    """Whether the types differ in the names of fields only."""
    if len(source.children) != len(target.children) or source.root != target.root:
        return False
    pairs = zip(source.children, target.children, strict=True)
    if source.children:
        return all(_renamed(mine, theirs) for (_, mine), (_, theirs) in pairs)
    return alike(source, target)
