"""The key of a step: the columns by which the new row of an update says which old one it replaces.

Changes of one key must also come in their order. So a key counts only while all rows that ever have
it pass through the same task of each step, by the rules of Flink's upsert keys.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.model.changelog import ChangelogMode
from penstock.model.types import quote
from penstock.plan.equalities import key_columns
from penstock.plan.frames import time_of
from penstock.plan.nodes import (
    Aggregate,
    Expand,
    Filter,
    Join,
    Node,
    Normalize,
    Over,
    Project,
    Rank,
    Scan,
    SetOperation,
    Sort,
    Unnest,
    Window,
    WindowAggregate,
)
from penstock.plan.rank import function_of
from penstock.plan.walk import inputs
from penstock.plan.windows import as_local_time
from penstock.sql.lossless import is_kept_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Key = tuple[str, ...]
_LITERAL = re.compile(r"'(?:[^'\\]|\\.)*'", re.DOTALL)
# Another column, or a function of the clock or of chance: but `rand` they take no arguments.
_UNSTEADY = re.compile(r"`|\b__|\(\s*\)|rand\w*\(|\bcurrent_", re.IGNORECASE)
# By side the joins that give its rows also without a partner.
_GIVES_ALL = (("LEFT", "FULL", "ANTI"), ("RIGHT", "FULL"))


def key_of(node: Node) -> Key:
    """The key of a step's rows in Spark SQL, empty if they have none."""
    match node:
        case Scan():
            return tuple(quote(name) for name in node.primary_key)
        case Normalize():
            return node.key
        case Aggregate():
            return tuple(quote(name) for name, _ in node.keys)
        case WindowAggregate():
            bounds = (as_local_time("__window.start"), as_local_time("__window.end"))
            return (*(quote(name) for name, _ in node.keys), *bounds)
        case Rank():
            return _rank_key(node, key_of(node.input))
        case Over() if time_of(node) is None:
            partition, key = {expr.sql for expr in node.partition}, key_of(node.input)
            return key if partition <= set(key) else ()
        case Sort() if node.limit is not None and node.limit + node.offset == 1:
            return ()
        case Project():
            return _projected(node, key_of(node.input))
        case Join():
            return _join_key(node)
        case Window() if node.kind != "TUMBLE":
            return ()
        case SetOperation() | Unnest() | Expand():
            return ()
        case _:
            below = inputs(node)
            return key_of(below[0]) if len(below) == 1 else ()


def takes_upserts(node: Node, side: int = 0) -> bool:
    """Whether the new row of a key is enough for a step: it knows itself which row it replaces."""
    if isinstance(node, Project):
        # It asks for nothing itself: whoever takes its rows knows by what key.
        return True
    if isinstance(node, Filter):
        return _is_by_key(node)
    if is_versioned(node, side):
        return True
    if not isinstance(node, Join) or node.form != "regular":
        return False
    key, columns = key_of((node.left, node.right)[side]), _joined_by(node, side)
    if not key or set(key) != set(columns) or not _is_only_by_columns(node):
        return False
    # A row without a key is kept by nobody: what it replaces must be told.
    return node.kind not in _GIVES_ALL[side] or not _is_nullable(node, side, key)


def _is_by_key(node: Filter) -> bool:
    """Whether a condition says the same of the old and the new row of a key, and of one that goes.

    It names nothing but the key, and no function that says something else each time.
    """
    return bool(key_of(node.input)) and _says_the_same(node.condition.sql, key_of(node.input))


def follows_key(sql: str, node: Node) -> bool:
    """Whether an expression over a step has one value for all rows of a key."""
    if isinstance(node, Filter):
        return follows_key(sql, node.input)
    if not isinstance(node, Project):
        same = same_columns(node)
        key = key_of(node)
        return _says_the_same(sql, (*key, *(same[part] for part in key if part in same)))
    names = [quote(name) for name, _ in node.columns]
    below = (expr.sql for name, (_, expr) in zip(names, node.columns, strict=True) if name in sql)
    return _says_the_same(sql, names) and all(follows_key(text, node.input) for text in below)


def _says_the_same(sql: str, columns: Iterable[str]) -> bool:
    """Whether an expression names nothing but these columns, and neither clock nor chance."""
    text = _LITERAL.sub("''", sql)
    for column in sorted(columns, key=len, reverse=True):
        text = text.replace(column, "")
    return not _UNSTEADY.search(text)


def is_single_row(node: Node) -> bool:
    """Whether a step never gives more than one row at a time: one without a key."""
    if isinstance(node, Sort):
        return node.limit is not None and node.limit + node.offset == 1
    if isinstance(node, Rank):
        return not node.partition and node.last == 1 and function_of(node) == "ROW_NUMBER"
    return isinstance(node, Aggregate) and not node.keys


def is_versioned(node: Node, side: int) -> bool:
    """Whether a side of a step is that of a temporal join whose new rows end the last of a key."""
    return isinstance(node, Join) and node.form == "temporal" and side == 1


def is_single(node: Join, side: int) -> bool:
    """Whether at most one row of a side has the values that the join looks for."""
    rows = (node.left, node.right)[side]
    key = key_of(rows)
    if node.form != "regular" or not key or not set(key) <= set(_joined_by(node, side)):
        return False
    # Of rows that only come nobody takes back one with the same key.
    while isinstance(rows, Filter | Project | Window):
        rows = rows.input
    return not isinstance(rows, Scan) or rows.spec.mode is not ChangelogMode.APPEND


def condition_of(node: Join) -> str:
    """ON in Spark SQL: by equalities rows meet, the rest is asked of pairs.

    In a temporal join rows meet by the key of the versions alone.
    """
    equal = node.equal
    if node.form == "temporal":
        key = key_of(node.right)
        equal = tuple(found for found in equal if found.right and found.right.sql in key)
    met = {found.condition for found in equal}
    terms = (expr.sql if expr.sql in met else _asked(expr.sql) for expr in node.conditions)
    return " AND ".join(f"({term})" for term in terms) or "TRUE"


def _asked(condition: str) -> str:
    """A condition of pairs; `IS TRUE` would be an equality to Spark, by which it parts the rows."""
    return f"coalesce({condition}, FALSE)"


def _is_nullable(node: Join, side: int, key: Key) -> bool:
    fields = (node.left, node.right)[side].fields
    return any(field.type.nullable for field in fields if field.sql in key)


def _rank_key(node: Rank, below: Key) -> Key:
    """The partition where one row of it stays, else with the number; or the key of the rows.

    The changes of a row that moves to another partition have no order among them.
    """
    partition = tuple(expr.sql for expr in node.partition)
    if function_of(node) == "ROW_NUMBER":
        if node.last == 1:
            return partition
        if node.numbered:
            return (*partition, quote(node.column))
    return below if set(partition) <= set(below) else ()


def _projected(node: Project, key: Key) -> Key:
    """The key under the names of a projection; none if a part of it is left out."""
    same = same_columns(node.input)
    shown = (_name_of(part, node) or _name_of(same.get(part, ""), node) for part in key)
    found = tuple(filter(None, shown))
    return found if len(found) == len(key) else ()


def _name_of(column: str, node: Project) -> str:
    """The name that a column below has in a projection, be it through a cast."""
    names = (quote(name) for name, expr in node.columns if expr.sql == column)
    if found := next(names, ""):
        return found
    types = (field.type for field in node.input.fields if field.sql == column)
    if (type_ := next(types, None)) is None:
        return ""
    cast = (quote(name) for name, expr in node.columns if is_kept_by(column, type_, expr))
    return next(cast, "")


def same_columns(node: Node) -> dict[str, str]:
    """Columns of an inner join that say the same as another one."""
    if isinstance(node, Filter):
        return same_columns(node.input)
    if not isinstance(node, Join) or node.kind != "INNER":
        return {}
    pairs = [(_renamed(node, 0, a), _renamed(node, 1, b)) for a, b in _equal_columns(node)]
    return dict(pairs) | {b: a for a, b in pairs}


def _join_key(node: Join) -> Key:
    """Of the sides' keys the one whose rows are in one pair at most, else both together."""
    left, right = (_kept_together(node, side) for side in (0, 1))
    if node.kind in ("SEMI", "ANTI") or node.form == "temporal":
        return left
    if is_single(node, 1) and node.kind in ("INNER", "LEFT"):
        return left
    if is_single(node, 0) and node.kind in ("INNER", "RIGHT"):
        return right
    return (*left, *right) if left and right and node.kind == "INNER" else ()


def _kept_together(node: Join, side: int) -> Key:
    """The key of a side under the names of the join, if all its rows meet in one task."""
    key, columns = key_of((node.left, node.right)[side]), _joined_by(node, side)
    if node.form not in ("regular", "temporal") or not _is_only_by_columns(node):
        return ()
    if not columns or not set(columns) <= set(key):
        return ()
    named = tuple(filter(None, (_renamed(node, side, part) for part in key)))
    return named if len(named) == len(key) else ()


def _joined_by(node: Join, side: int) -> list[str]:
    return [pair[side] for pair in _equal_columns(node)]


def _is_only_by_columns(node: Join) -> bool:
    """Whether no other equality decides where a row goes: its values might change."""
    return all(map(key_columns, node.equal))


def _equal_columns(node: Join) -> Iterator[tuple[str, str]]:
    """The columns that the join says are equal, each under the name that its side has for it."""
    for left, right in filter(None, map(key_columns, node.equal)):
        yield left.sql, right.sql


def _renamed(node: Join, side: int, column: str) -> str:
    """A column of a side under the name that it has in the join, "" if it is none of its fields."""
    fields = [field.sql for field in (node.left, node.right)[side].fields]
    letter = "lr"[side]
    return quote(f"j{node.tag}{letter}{fields.index(column)}") if column in fields else ""
