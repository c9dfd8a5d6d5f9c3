"""How tables of the MergeTree family merge rows of one key: what FINAL shows and OPTIMIZE keeps."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.model.span import Span
    from penstock.model.types import DataType

_REPLICAS = re.compile("^(Replicated|Shared)")
_IDENTIFIER = re.compile(r"`[^`]+`|[A-Za-z_]\w*")
_NUMBERS = (
    *("TINYINT", "SMALLINT", "INT", "BIGINT", "UINT8", "UINT16", "UINT32", "UINT64"),
    *("FLOAT", "DOUBLE", "DECIMAL"),
)
_REPLACING = "ReplacingMergeTree"
_MERGING = (_REPLACING, "SummingMergeTree")


@dataclass(frozen=True, slots=True)
class Merge:
    """Of the rows of one `key` the last one stays, by `version` and then by insertion.

    The `sums` of all of them are put into it, and it goes if all of these are 0; it goes, too, if
    it says that it is `deleted`.
    """

    key: tuple[str, ...]
    version: str = ""
    deleted: str = ""
    sums: tuple[tuple[str, str], ...] = ()


def merges(engine: str) -> bool:
    """Whether rows of one key are merged."""
    return _REPLICAS.sub("", engine) in _MERGING


def merge_of(
    table: str,
    engine: str,
    arguments: tuple[str, ...],
    order_by: str,
    columns: Sequence[tuple[str, DataType]],
    span: Span | None = None,
) -> Merge:
    """The rule of a table, by its engine, the columns its engine names and its sorting key."""
    plain = _REPLICAS.sub("", engine)
    if not merges(engine):
        kinds = " and ".join(sorted(_MERGING))
        raise _refused(f"FINAL is for {kinds}; `{table}` is a {plain}.", span)
    key = _columns(order_by)
    if key is None:
        raise _refused(f"FINAL needs a sorting key of plain columns, not `{order_by}`.", span)
    if plain == _REPLACING:
        version, deleted, *_ = (*arguments, "", "")
        return Merge(key, version, deleted)
    numbers = {name: type_ for name, type_ in columns if type_.root in _NUMBERS}
    summed = arguments or tuple(name for name in numbers if name not in key)
    sums = tuple((name, numbers[name].spark_sql()) for name in summed if name in numbers)
    return Merge(key, sums=sums)


def _columns(order_by: str) -> tuple[str, ...] | None:
    """The columns of a sorting key; None if it has an expression."""
    inner = order_by.strip().removeprefix("tuple").strip()
    if inner.startswith("(") and inner.endswith(")"):
        inner = inner[1:-1]
    parts = [part.strip() for part in inner.split(",") if part.strip()]
    if not all(_IDENTIFIER.fullmatch(part) for part in parts):
        return None
    return tuple(part.strip("`") for part in parts)


def _refused(problem: str, span: Span | None) -> PlanError:
    return PlanError("INVALID_QUERY", span=span, problem=problem, instead="Leave FINAL out.")
