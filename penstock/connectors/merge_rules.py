"""How tables of the MergeTree family merge rows of one key: what FINAL shows and OPTIMIZE keeps."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.connectors.merge_maps import sum_maps
from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import quote
from penstock.sql.clickhouse.engine import plain_engine
from penstock.sql.clickhouse.key_parts import columns_of, leaves_of, parts_of
from penstock.sql.clickhouse.number_casts import sum_within
from penstock.sql.clickhouse.numbers import FLOATS, INTEGERS
from penstock.sql.functions.clickhouse import AGGREGATES
from penstock.sql.functions.clickhouse.states import merged_state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.connectors.merge_tree import MergeTreeTable
    from penstock.model.span import Span
    from penstock.model.types import DataType

_NUMBERS = (*INTEGERS, *FLOATS, "DECIMAL")
_REPLACING, _COLLAPSING = "ReplacingMergeTree", "CollapsingMergeTree"
_SUMMING, _AGGREGATING = "SummingMergeTree", "AggregatingMergeTree"
_VERSIONED = "VersionedCollapsingMergeTree"
_MERGING = (_AGGREGATING, _COLLAPSING, _REPLACING, _SUMMING, _VERSIONED)
# The column that says in which order rows were inserted.
ROW = "__row"
# The column that says in which partition a row is, by which the folder of a table is divided.
PARTITION = "__partition"
_SUMS = ("sum", "sumWithOverflow")
# SimpleAggregateFunction → the value of many rows; others are ClickHouse's own aggregates
_SIMPLE = {
    "any": f"min_by({{0}}, if({{0}} IS NULL, NULL, {ROW}))",
    "anyLast": f"max_by({{0}}, if({{0}} IS NULL, NULL, {ROW}))",
    "groupArrayArray": f"flatten(array_sort(collect_list(struct({ROW}, {{0}} AS v))).v)",
    "groupBitAnd": "bit_and({0})",
    "groupBitOr": "bit_or({0})",
    "groupBitXor": "bit_xor({0})",
    "groupUniqArrayArray": "array_distinct(flatten(collect_list({0})))",
}


@dataclass(frozen=True, slots=True)
class Merge:
    """Of the rows of one `key` the last one stays, by `version` and then by insertion.

    It goes if it says that it is `deleted`. With `merged` each of these columns has, instead, what
    an aggregate gives of all rows of the key; the row goes where `zero` holds of these, and each of
    `parts` is made of them.
    With `sign` a row of 1 and a row of -1 take each other away; of what is left, rows of -1 are
    there only if it has `cancels`. With `sign` and `version`, which then is part of the key, all
    that is left stays. Those of the key that are `computed` are expressions: of the script, or of
    Spark once they are planned. Columns that are `filled` have these values before rows are merged.
    At `span` is asked for it.
    """

    key: tuple[str, ...]
    version: str = ""
    deleted: str = ""
    merged: tuple[tuple[str, str], ...] = ()
    zero: str = ""
    parts: tuple[tuple[str, str], ...] = ()
    sign: str = ""
    cancels: bool = False
    computed: tuple[tuple[str, str], ...] = ()
    filled: tuple[tuple[str, str], ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)


def merges(engine: str) -> bool:
    """Whether rows of one key are merged."""
    return plain_engine(engine) in _MERGING


def merge_of(
    target: MergeTreeTable, columns: Sequence[tuple[str, DataType]], span: Span | None = None
) -> Merge:
    """The rule of a table, by its engine, the columns its engine names and its sorting key."""
    plain, arguments = plain_engine(target.engine), target.columns
    if not merges(target.engine):
        kinds = " and ".join([", ".join(_MERGING[:-1]), _MERGING[-1]])
        raise _refused(f"FINAL is for {kinds}; `{target.name}` is a {plain}.", span)
    key, computed = _key(target.order_by)
    if plain == _REPLACING:
        version, deleted, *_ = (*arguments, "", "")
        rule = Merge(key, version, deleted)
    elif plain == _VERSIONED:
        sign, version = arguments
        rule = Merge((*key, *([version] if version not in key else [])), version, sign=sign)
    elif plain == _COLLAPSING:
        rule = Merge(key, sign=arguments[0])
    else:
        rule = _aggregated(key, target, columns, summing=plain == _SUMMING)
    return replace(rule, computed=computed, span=span)


def _key(order_by: str) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The columns that rows of one key have in common, and those of them that are computed."""
    named = [
        (part.name, "") if _is_plain(part) else (f"__key{at}", part.sql(dialect="clickhouse"))
        for at, part in enumerate(leaves_of(order_by))
    ]
    return tuple(name for name, _ in named), tuple(one for one in named if one[1])


def _aggregated(
    key: tuple[str, ...],
    target: MergeTreeTable,
    columns: Sequence[tuple[str, DataType]],
    *,
    summing: bool,
) -> Merge:
    """Columns of aggregates by these, numbers by their sums, others as the first row has them."""
    arguments, kept = target.columns, kept_columns(target.order_by, target.partition_by)
    numbers = [n for n, t in columns if t.root in _NUMBERS and n not in kept and not t.merged]
    sums = tuple(n for n in (arguments or numbers) if n in numbers) if summing else ()
    # A table that says what is to be summed takes the first of all else.
    others = [(n, replace(t, merged="") if arguments else t) for n, t in columns if n not in key]
    maps = sum_maps(target.name, columns, kept) if summing else ()
    parts = tuple(part for one in maps for part in one.parts)
    merged = (
        *((n, _value(n, t, is_sum=n in sums)) for n, t in others if n not in dict(parts)),
        *((one.entries, one.merged) for one in maps),
    )
    # As in ClickHouse, values that are merged otherwise keep a row whose sums are 0.
    stays = maps or any(t.merged for _, t in others)
    zero = "" if stays else " AND ".join(_zero(n, t) for n, t in others if n in sums)
    return Merge(key, merged=merged, zero=zero, parts=parts)


def kept_columns(order_by: str, partition_by: str) -> frozenset[str]:
    """What is no amount: what keys are made of, also inside of their expressions."""
    return columns_of(order_by) | columns_of(partition_by)


def _zero(name: str, type_: DataType) -> str:
    """Nothing, as ClickHouse sees it: of a Nullable that is NULL, and not 0."""
    return f"{quote(name)} {'IS NULL' if type_.nullable else '= 0'}"


def _value(name: str, type_: DataType, *, is_sum: bool) -> str:
    column, spark = quote(name), type_.spark_sql()
    if type_.root == "STATE":
        return f"CAST({merged_state(Expr(column, type_))} AS {spark})"
    if is_sum or type_.merged in _SUMS:
        return sum_within(column, type_)
    if not type_.merged or type_.merged in _SIMPLE:
        sql = _SIMPLE[type_.merged].format(column) if type_.merged else f"min_by({column}, {ROW})"
        return f"CAST({sql} AS {spark})"
    (signature, *_) = AGGREGATES[type_.merged]
    built = signature.aggregate([Expr(column, type_)])
    assert built is not None  # noqa: S101 — what a type may be merged by fits it
    return f"CAST({built.sql} AS {spark})"


def sorting_columns(order_by: str) -> tuple[str, ...] | None:
    """The columns of a sorting key; None if it has an expression."""
    parts = parts_of(order_by) if order_by else []
    return tuple(part.name for part in parts) if all(map(_is_plain, parts)) else None


def _is_plain(part: exp.Expr) -> bool:
    """What stands behind a dot may be an element of a Tuple."""
    return isinstance(part, exp.Column) and not part.table


def _refused(problem: str, span: Span | None) -> PlanError:
    return PlanError("INVALID_QUERY", span=span, problem=problem, instead="Leave FINAL out.")
