"""States of aggregates: what is stored of one, how two become one, and what it gives in the end.

A state is kept in columns that Spark knows: a sum as a number, an average as sum and count, a
smallest value as an array of one or none, distinct values as an array of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.model.types import DataType
from penstock.sql.clickhouse.number_casts import wrapped
from penstock.sql.clickhouse.numbers import FLOAT64, FLOATS, INT64, UINT8, UINT64
from penstock.sql.clickhouse.text import enum_number
from penstock.sql.clickhouse.types import array_of, default_sql, is_ordered, type_name
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.functions.clickhouse.base import Table
from penstock.sql.functions.clickhouse.collections import sum_type
from penstock.sql.functions.clickhouse.conditions import truth_sql

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from penstock.sql.functions.clickhouse.base import Typed

    Types = Sequence[DataType]

_NAN = "CAST('NaN' AS DOUBLE)"
_STATE, _ANYTHING = "state", "any"


@dataclass(frozen=True, slots=True)
class Kind:
    """One aggregate: how its state is `kept`, made of rows, merged from states, and finished."""

    takes: tuple[str, ...]
    kept: Callable[[Types], DataType]
    made: Callable[[Sequence[Expr]], str]
    merged: Callable[[str, DataType], str]
    finished: Callable[[str, Types], Expr]


def _one_or_none(sql: str) -> str:
    return f"filter(array({sql}), e -> e IS NOT NULL)"


def _first(state: str, types: Types) -> Expr:
    default = "DATE'1970-01-01'" if types[0].root == "DATE32" else default_sql(types[0])
    return Expr(f"coalesce(get({state}, 0), {default})", types[0])


def _itself(state: str, types: Types) -> Expr:
    return Expr(state, array_of(types[0]))


def _size(state: str, types: Types) -> Expr:
    return Expr(f"CAST(size({state}) AS DECIMAL(20, 0))", UINT64)


def _summed(sql: str, type_: DataType) -> str:
    name = type_.spark_sql()
    total = f"sum(CAST({sql} AS {name}))"
    kept = wrapped(total, type_) if type_.root == "UINT64" else f"CAST({total} AS {name})"
    return f"coalesce({kept}, {default_sql(type_)})"


def _extreme(function: str) -> Kind:
    def chosen(value: Expr) -> str:
        if value.type.labels:
            return f"{function}_by({value.sql}, {enum_number(value)})"
        if value.type.root in FLOATS:
            known = f"CASE WHEN NOT isnan({value.sql}) THEN {value.sql} END"
            return f"coalesce({function}({known}), {function}({value.sql}))"
        return f"{function}({value.sql})"

    return Kind(
        (_ANYTHING,),
        lambda types: array_of(types[0]),
        lambda values: _one_or_none(chosen(values[0])),
        lambda state, kept: _one_or_none(chosen(Expr(f"get({state}, 0)", kept.children[0][1]))),
        _first,
    )


def _picked(function: str) -> Kind:
    return Kind(
        (_ANYTHING,),
        lambda types: array_of(types[0]),
        lambda values: _one_or_none(f"{function}({values[0].sql}, true)"),
        lambda state, kept: _one_or_none(f"{function}(get({state}, 0), true)"),
        _first,
    )


def _by(function: str) -> Kind:
    def kept(types: Types) -> DataType:
        children = tuple(zip(("v", "k"), types, strict=True))
        return array_of(DataType("ROW", children=children, nullable=False))

    def made(values: Sequence[Expr]) -> str:
        pair = f"named_struct('v', {values[0].sql}, 'k', {values[1].sql})"
        return _one_or_none(f"{function}({pair}, {values[1].sql})")

    def finished(state: str, types: Types) -> Expr:
        return Expr(f"coalesce(get({state}, 0).v, {default_sql(types[0])})", types[0])

    return Kind(
        (_ANYTHING, _ANYTHING),
        kept,
        made,
        lambda state, kept: _one_or_none(f"{function}(get({state}, 0), get({state}, 0).k)"),
        finished,
    )


def _gathered(function: str, distinct: str, finished: Callable[[str, Types], Expr]) -> Kind:
    return Kind(
        (_ANYTHING,),
        lambda types: array_of(types[0]),
        lambda values: f"{function}({values[0].sql})",
        lambda state, kept: f"{distinct}(flatten(collect_list({state})))",
        finished,
    )


_AVERAGE = DataType("ROW", children=(("s", FLOAT64), ("c", INT64)), nullable=False)
_AVG = Kind(
    ("number",),
    lambda types: _AVERAGE,
    lambda values: (
        f"named_struct('s', coalesce(sum(CAST({values[0].sql} AS DOUBLE)), 0D), "
        f"'c', count({values[0].sql}))"
    ),
    lambda state, kept: (
        f"named_struct('s', coalesce(sum({state}.s), 0D), 'c', coalesce(sum({state}.c), 0L))"
    ),
    lambda state, types: Expr(f"if({state}.c = 0, {_NAN}, {state}.s / {state}.c)", FLOAT64),
)
_COUNT = Kind(
    (),
    lambda types: UINT64,
    lambda values: f"CAST(count({values[0].sql if values else 1}) AS DECIMAL(20, 0))",
    _summed,
    lambda state, types: Expr(state, UINT64),
)
_SUM = Kind(
    ("number",),
    lambda types: sum_type(types[0]),
    lambda values: _summed(values[0].sql, sum_type(values[0].type)),
    _summed,
    lambda state, types: Expr(state, sum_type(types[0])),
)
PLAIN_KINDS: dict[str, Kind] = {
    "any": _picked("first"),
    "anyLast": _picked("last"),
    "argMax": _by("max_by"),
    "argMin": _by("min_by"),
    "avg": _AVG,
    "count": _COUNT,
    "groupArray": _gathered("collect_list", "", _itself),
    "groupUniqArray": _gathered("collect_set", "array_distinct", _itself),
    "max": _extreme("max"),
    "min": _extreme("min"),
    "sum": _SUM,
    **dict.fromkeys(
        ("uniq", "uniqCombined", "uniqCombined64", "uniqExact", "uniqHLL12"),
        _gathered("collect_set", "array_distinct", _size),
    ),
}


def _chosen(arguments: Sequence[Expr]) -> list[Expr]:
    """The values of rows that meet the condition behind them; others have none."""
    *values, test = arguments
    return [
        Expr(f"CASE WHEN {truth_sql(test)} THEN {value.sql} END", value.type)
        for value in values or [Expr("1", UINT64)]
    ]


def _with_condition(kind: Kind) -> Kind:
    """With -If: its state is that of the aggregate, over rows that meet a condition."""
    return Kind(
        (*kind.takes, "UInt8"),
        lambda types: kind.kept(types[:-1]),
        lambda values: kind.made(_chosen(values)),
        kind.merged,
        lambda state, types: kind.finished(state, types[:-1]),
    )


_IF = "If"
# What counts rows may be given a value whose NULLs it passes over.
_COUNTED = (("count", 1), ("countIf", 2))
KINDS: dict[str, Kind] = {
    **PLAIN_KINDS,
    **{f"{name}{_IF}": _with_condition(kind) for name, kind in PLAIN_KINDS.items()},
}


def state_type(name: str, types: Types) -> DataType | None:
    """`AggregateFunction(name, types…)`; None if its states cannot be kept."""
    kind = KINDS.get(name)
    if kind is None or any(one.nullable or one.root == "STATE" for one in types):
        return None
    if len(types) != len(kind.takes) and (name, len(types)) not in _COUNTED:
        return None
    if name not in PLAIN_KINDS and type_name(types[-1]) != "UInt8":
        return None
    if name.removesuffix(_IF) in ("min", "max") and not (types[0].labels or is_ordered(types[0])):
        return None
    arguments = ((str(at), one) for at, one in enumerate(types))
    return DataType("STATE", children=((name, kind.kept(types)), *arguments), nullable=False)


def merged_state(state: Expr) -> str:
    """Many states of a group as one."""
    (name, kept), *_ = state.type.children
    return KINDS[name].merged(state.sql, kept)


def _made(name: str) -> Typed:
    def build(arguments: Sequence[Expr]) -> Expr | None:
        types = [argument.type for argument in arguments]
        # What a comparison gives is a UInt8 to ClickHouse.
        types[-1:] = [UINT8] if name not in PLAIN_KINDS else types[-1:]
        type_ = state_type(name, types)
        return Expr(KINDS[name].made(arguments), type_) if type_ else None

    return build


def _made_if(name: str) -> Typed:
    def build(arguments: Sequence[Expr]) -> Expr | None:
        type_ = state_type(name, [value.type for value in arguments[:-1]])
        return Expr(KINDS[name].made(_chosen(arguments)), type_) if type_ else None

    return build


def _merged(name: str, *, finished: bool) -> Typed:
    def build(arguments: Sequence[Expr]) -> Expr | None:
        (state,) = arguments
        found, *types = state.type.children
        if found[0] != name:
            return None
        sql = merged_state(state)
        if not finished:
            return Expr(sql, state.type)
        return KINDS[name].finished(sql, [type_ for _, type_ in types])

    return build


def finished_state(arguments: Sequence[Expr]) -> Expr | None:
    """What one state gives."""
    (state,) = arguments
    (name, _), *types = state.type.children
    return KINDS[name].finished(state.sql, [type_ for _, type_ in types])


def _table() -> Table:
    table: Table = {}
    for name, kind in KINDS.items():
        of = f"AggregateFunction({name}, …)"
        table[f"{name}State"] = (S(kind.takes, _made(name), of, lenient=True),)
        if name in PLAIN_KINDS:
            both = (*kind.takes, "UInt8")
            table[f"{name}StateIf"] = (S(both, _made_if(name), of, lenient=True),)
        ends = S((_STATE,), _merged(name, finished=True), f"What {name} gives", lenient=True)
        table[f"{name}Merge"] = (ends,)
        goes_on = S((_STATE,), _merged(name, finished=False), of, lenient=True)
        table[f"{name}MergeState"] = (goes_on,)
    for name, given in _COUNTED:
        takes = (_ANYTHING, "UInt8")[:given]
        counted = S(takes, _made(name), f"AggregateFunction({name}, …)", lenient=True)
        table[f"{name}State"] = (*table[f"{name}State"], counted)
    return table


STATES: Table = _table()
FINISHED: Table = {
    "finalizeAggregation": (
        S((_STATE,), finished_state, "What the aggregate of the state gives", lenient=True),
    )
}
