"""The keys of a table at rest: the columns they name, the expressions they are made of."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PenstockError, PlanError
from penstock.model.types import quote
from penstock.plan.clickhouse.randoms import is_steady
from penstock.plan.clickhouse.refusals import invalid
from penstock.plan.expressions import ExpressionCompiler
from penstock.plan.scope import Field, Scope
from penstock.sql.clickhouse.key_parts import (
    columns_of,
    expression_of,
    leaves_of,
    parts_of,
    without_directions,
)

if TYPE_CHECKING:
    from penstock.connectors.merge_rules import Merge
    from penstock.connectors.merge_tree import MergeTree
    from penstock.model.expression import Expr
    from penstock.model.table import Table
    from penstock.model.types import DataType
    from penstock.plan.language import Language

    Stored = tuple[tuple[str, str, DataType], ...]

_KEYS = ("order_by", "primary_key", "partition_by", "sample_by")
# What Spark cannot sort.
_UNSORTED = ("MAP", "STATE")


def is_key(table: Table, column: str) -> bool:
    """Whether a key of the table names a column, or an element of it."""
    named = (name for key in _KEYS for name in columns_of(table.option(key) or ""))
    return any(name == column or name.startswith(f"{column}.") for name in named)


def over_stored(connector: MergeTree, language: Language) -> ExpressionCompiler:
    """A compiler of expressions over the columns of a table as they are stored."""
    return _over(connector.scan().columns, language)


def _over(columns: Stored, language: Language) -> ExpressionCompiler:
    fields = tuple(Field(name, type_, quote(name)) for name, _, type_ in columns)
    return ExpressionCompiler(Scope((("", fields),)), language)


def merged_by(rule: Merge, columns: Stored, name: str, language: Language) -> Merge:
    """A rule whose key is computed in Spark's words."""
    compiler, found = _over(columns, language), []
    for column, text in rule.computed:
        try:
            value = compiler.compile(expression_of(text))
        except PenstockError as error:
            # Places inside the key are not those of the script.
            error.span = rule.span
            raise
        if not _is_sorted(value.type) or not is_steady(value.sql):
            raise _unmerged(rule, name, text)
        found.append((column, value.sql))
    for column, _, type_ in columns:
        if column in rule.key and not _is_sorted(type_):
            raise _unmerged(rule, name, column)
    return replace(rule, computed=tuple(found))


def _unmerged(rule: Merge, name: str, text: str) -> PlanError:
    return PlanError(
        "INVALID_QUERY",
        span=rule.span,
        problem=f"Rows of `{name}` cannot be merged by `{text}`.",
        instead="Leave FINAL out.",
    )


def _is_sorted(type_: DataType) -> bool:
    return type_.root not in _UNSORTED and all(_is_sorted(child) for _, child in type_.children)


def check_written(text: str, *, sorts: bool) -> None:
    """Refuse names in a key; ASC and DESC are for a sorting key."""
    for part in leaves_of(text):
        if isinstance(part, exp.Alias):
            raise invalid(f"Syntax error at `{part.alias}`: a key has no names.", None)
    if not sorts and without_directions(text) != text:
        raise invalid("Syntax error: ASC and DESC are for ORDER BY.", None)


def check_sorting(connector: MergeTree, language: Language) -> None:
    """Refuse NULL in the sorting key, unless the table says that it may be there."""
    for value in _computed(connector, language, connector.target.order_by, "Sorting"):
        if _has_null(value.type) and connector.table.option("allow_nullable_key") != "1":
            problem = "Sorting key contains nullable columns, but merge tree setting"
            raise invalid(f"{problem} `allow_nullable_key` is disabled.", None)


def check_primary(connector: MergeTree, language: Language) -> None:
    """Refuse a primary key that is no beginning of the sorting key; alone it is the sorting key."""
    if not connector.table.option("order_by"):
        check_sorting(connector, language)
    primary = connector.table.option("primary_key") or ""
    _computed(connector, language, primary, "Primary")
    keys = (parts_of(text) for text in (primary, connector.target.order_by))
    first, whole = ([part.sql(dialect="clickhouse") for part in key] for key in keys)
    problem = "Primary key must be a prefix of the sorting key, but"
    if len(first) > len(whole):
        lengths = f"its length: {len(first)} is greater than the sorting key length: {len(whole)}"
        raise invalid(f"{problem} {lengths}.", None)
    for at, (found, expected) in enumerate(zip(first, whole, strict=False)):
        if found != expected:
            place = f"the column in the position {at} is"
            raise invalid(f"{problem} {place} `{expected}`, not `{found}`.", None)


def check_sampling(connector: MergeTree, language: Language) -> None:
    """Refuse columns that are not there."""
    _computed(connector, language, connector.table.option("sample_by") or "", "Sampling")


def _computed(connector: MergeTree, language: Language, text: str, kind: str) -> list[Expr]:
    """Those parts of a key that we can compute; what has no column or no one value is refused."""
    compiler, found = over_stored(connector, language), []
    for part in parts_of(text):
        try:
            value = compiler.compile(part)
        except PlanError as error:
            if error.code == "UNKNOWN_COLUMN":
                raise
            continue
        if not is_steady(value.sql):
            shown = part.sql(dialect="clickhouse")
            problem = f"{kind} key cannot contain non-deterministic functions, but contains"
            raise invalid(f"{problem} `{shown}`.", None)
        found.append(value)
    return found


def _has_null(type_: DataType) -> bool:
    return type_.nullable or any(_has_null(child) for _, child in type_.children)


def sorting_order(connector: MergeTree, language: Language) -> tuple[str, ...]:
    """What rows of a table are sorted by, up to what cannot be sorted."""
    text = connector.target.order_by
    compiler, found = over_stored(connector, language), []
    for part in parts_of(text) if text else []:
        try:
            value = _sorted_by(compiler.compile(part), language)
        except PlanError:
            # A key that we cannot compute is no reason to refuse the table: it only sorts files.
            break
        if not _is_sorted(value.type):
            break
        found.append(value.sql)
    return tuple(found)


def _sorted_by(value: Expr, language: Language) -> Expr:
    return language.order_key(value) if language.order_key else value
