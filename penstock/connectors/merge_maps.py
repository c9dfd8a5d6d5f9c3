"""Nested columns of a SummingMergeTree whose name ends in `Map`: amounts, summed by a key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.errors import OptionError
from penstock.model.types import quote
from penstock.sql.clickhouse.number_casts import wrapped
from penstock.sql.clickhouse.numbers import FLOATS, INTEGERS, is_number
from penstock.sql.clickhouse.types import default_sql, type_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from penstock.model.types import DataType

_PLAIN_KEYS = (*INTEGERS, "BOOLEAN", "DATE", "DATE32", "VARCHAR", "FIXEDSTRING")
# Keys that ClickHouse takes, too, whose order is not that of the texts that Spark has.
_OTHER_KEYS = ("ENUM8", "ENUM16", "UUID", "IPV4", "IPV6")
_FURTHER_KEYS = ("ID", "Key", "Type")


@dataclass(frozen=True, slots=True)
class SumMap:
    """A Nested of a key and of amounts, with the types of their elements."""

    name: str
    key: tuple[str, DataType]
    amounts: tuple[tuple[str, DataType], ...]

    @property
    def entries(self) -> str:
        """The column that holds what is merged until its parts become columns again."""
        return f"__{self.name}"

    @property
    def merged(self) -> str:
        """The entries of all rows by their key, without those whose amounts are all 0."""
        places = range(len(self.amounts))
        read = (
            f"coalesce(get({quote(name)}, i), {default_sql(type_)})" for name, type_ in self.amounts
        )
        one = _entry("k", read)
        every = f"flatten(collect_list(transform({quote(self.key[0])}, (k, i) -> {one})))"
        sums = (
            _sum(f"element_at(kept, -1).v{at}", f"e.v{at}", type_)
            for at, (_, type_) in enumerate(self.amounts)
        )
        grown = f"concat(slice(kept, 1, size(kept) - 1), array({_entry('e.k', sums)}))"
        added = f"if(try_element_at(kept, -1).k = e.k, {grown}, concat(kept, array(e)))"
        none = f"CAST(array() AS ARRAY<{self._spark}>)"
        zero = " AND ".join(f"e.v{at} = 0" for at in places)
        found = f"aggregate(array_sort({every}), {none}, (kept, e) -> {added})"
        return f"filter({found}, e -> NOT ({zero}))"

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """Each column, of the merged entries."""
        names = ("k", *(f"v{at}" for at in range(len(self.amounts))))
        columns = (self.key, *self.amounts)
        return tuple(
            (name, f"{quote(self.entries)}.{part}")
            for part, (name, _) in zip(names, columns, strict=True)
        )

    @property
    def _spark(self) -> str:
        amounts = (f"v{at}: {type_.spark_sql()}" for at, (_, type_) in enumerate(self.amounts))
        return f"STRUCT<{', '.join([f'k: {self.key[1].spark_sql()}', *amounts])}>"


def sum_maps(
    table: str, columns: Iterable[tuple[str, DataType]], kept: Iterable[str]
) -> tuple[SumMap, ...]:
    """What ClickHouse sums by a key; where it would, and Penstock cannot, that is refused."""
    nested: dict[str, list[tuple[str, DataType]]] = {}
    for name, type_ in columns:
        outer, dot, _ = name.partition(".")
        if dot and outer.endswith("Map") and type_.root == "ARRAY" and not type_.merged:
            nested.setdefault(outer, []).append((name, type_.children[0][1]))
    without = {name.partition(".")[0] for name in kept if "." in name}
    found = []
    for outer, (key, *others) in nested.items():
        keys = [key, *(one for one in others if one[0].endswith(_FURTHER_KEYS))]
        amounts = tuple(one for one in others if one not in keys)
        # As in ClickHouse, of other columns the first row's arrays stay.
        is_map = (
            others and all(_is_key(t) for _, t in keys) and all(is_number(t) for _, t in amounts)
        )
        if is_map and outer not in without:
            _refuse_others(table, outer, keys, amounts)
            found.append(SumMap(outer, key, amounts))
    return tuple(found)


def _refuse_others(
    table: str,
    outer: str,
    keys: list[tuple[str, DataType]],
    amounts: tuple[tuple[str, DataType], ...],
) -> None:
    name, type_ = keys[0]
    wrong = [one for one in amounts if one[1].nullable or one[1].root == "BOOLEAN"]
    if len(keys) > 1:
        problem = f"a second key, `{keys[1][0]}`"
    elif type_.root in _OTHER_KEYS:
        problem = f"a key `{name}` of {type_name(type_)}"
    elif wrong:
        problem = f"amounts `{wrong[0][0]}` of {type_name(wrong[0][1])}"
    else:
        return
    raise OptionError(
        "CONFLICTING_OPTIONS",
        table=table,
        conflict=f"ClickHouse sums `{outer}` by its key, since its name ends in Map; that is not "
        f"supported with {problem}.",
        instead="Have one key of an integer, date or String type and amounts that are numbers, or "
        "another name.",
    )


def _is_key(type_: DataType) -> bool:
    is_seconds = type_.root == "TIMESTAMP_LTZ" and not type_.precision
    return not type_.nullable and (type_.root in (*_PLAIN_KEYS, *_OTHER_KEYS) or is_seconds)


def _entry(key: str, amounts: Iterable[str]) -> str:
    parts = (f", 'v{at}', {amount}" for at, amount in enumerate(amounts))
    return f"named_struct('k', {key}{''.join(parts)})"


def _sum(left: str, right: str, type_: DataType) -> str:
    if type_.root in INTEGERS:
        return wrapped(f"CAST({left} AS DECIMAL(38, 0)) + CAST({right} AS DECIMAL(38, 0))", type_)
    total = f"{left} + {right}"
    return total if type_.root in FLOATS else f"CAST({total} AS {type_.spark_sql()})"
