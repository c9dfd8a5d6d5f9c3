"""PARTITION BY of tables at rest: each row's partition, as the text ClickHouse calls its id.

Of whole numbers, dates and times it is ClickHouse's own, such as `202405`; of other values
ClickHouse's is a hash, and so is ours, though another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.connectors.merge_tree import MergeTree
from penstock.errors import PenstockError
from penstock.model.expression import Expr
from penstock.model.types import literal
from penstock.plan.clickhouse.keys import (
    check_primary,
    check_sampling,
    check_sorting,
    check_written,
    over_stored,
)
from penstock.plan.clickhouse.randoms import is_steady
from penstock.plan.clickhouse.refusals import invalid
from penstock.plan.expressions import ExpressionCompiler
from penstock.plan.scope import Scope
from penstock.sql.clickhouse.casts import cast
from penstock.sql.clickhouse.key_parts import elements, parts_of
from penstock.sql.clickhouse.numbers import INTEGERS
from penstock.sql.clickhouse.text import enum_number
from penstock.sql.clickhouse.types import type_name

if TYPE_CHECKING:
    from penstock.connectors.base import Connector
    from penstock.model.span import Span
    from penstock.plan.language import Language
    from penstock.plan.planning import Planning
    from penstock.sql.clickhouse.statements import Partition

# The one partition of a table that has none, and one that no table has.
_ALL, NONE = literal("all"), literal("")
_NESTED = ("ARRAY", "MAP", "ROW")


def check_keys(planning: Planning, name: str, span: Span | None) -> None:
    """Refuse keys that rows cannot be laid out by."""
    connector = planning.catalog.table(name, span)
    if not isinstance(connector, MergeTree):
        return
    places = {option.key: option.span for option in connector.table.options}
    checks = {
        "partition_by": _key,
        "order_by": check_sorting,
        "primary_key": check_primary,
        "sample_by": check_sampling,
    }
    for key in [key for key in checks if connector.table.option(key)]:
        try:
            check_written(connector.table.option(key) or "", sorts=key == "order_by")
            checks[key](connector, planning.language)
        except PenstockError as error:
            # Places inside the clause are not those of the script.
            error.span = places[key] or span
            raise


def partition_id(connector: Connector, language: Language) -> str:
    """The partition of a row, of its columns as they are stored; "" if there are none."""
    if not isinstance(connector, MergeTree) or not connector.target.is_partitioned:
        return ""
    return _text(_key(connector, language))


def named_partition(
    connector: MergeTree, language: Language, partition: Partition | None
) -> str | None:
    """The id of the partition that a statement names; None for all of them."""
    if partition is None or (partition.value is None and not partition.id):
        return None
    found = _named(connector, language, partition)
    if connector.target.is_partitioned:
        return found
    return None if found == _ALL else NONE


def _named(connector: MergeTree, language: Language, partition: Partition) -> str:
    if partition.id:
        return literal(partition.id)
    assert partition.value is not None  # noqa: S101 — it is one or the other
    values = elements(partition.value)
    key = _key(connector, language) if connector.target.is_partitioned else ()
    if len(values) != len(key):
        problem = f"The partitions of `{connector.table.name}` have {len(key)} values,"
        raise invalid(f"{problem} not {len(values)}.", partition.span)
    compiler = ExpressionCompiler(Scope(()), language)
    found = []
    for value, part in zip(values, key, strict=True):
        given = compiler.compile(value)
        try:
            found.append(Expr(cast(given, part.type).sql, part.type))
        except PenstockError:
            wanted = type_name(part.type)
            problem = f"`{value.sql(dialect='clickhouse')}` is no value of the key, a {wanted}."
            raise invalid(problem, partition.span) from None
    return _text(tuple(found)) if found else _ALL


def _key(connector: MergeTree, language: Language) -> tuple[Expr, ...]:
    """The values of the key, over columns as they are stored."""
    text, table = connector.target.partition_by, connector.table
    compiler, found = over_stored(connector, language), []
    for element in parts_of(text):
        value = compiler.compile(element) if element.find(exp.Column) else None
        if value is None or not is_steady(value.sql):
            raise invalid(f"The partitioning key `{text}` is not made of columns alone.", None)
        nullable = value.type.nullable and table.option("allow_nullable_key") != "1"
        if nullable or value.type.root in ("FLOAT", "DOUBLE"):
            raise invalid(f"A {type_name(value.type)} is no partitioning key: `{text}`.", None)
        found.append(value)
    return tuple(found)


def _text(values: tuple[Expr, ...]) -> str:
    whole = [_whole(value) for value in values]
    if all(whole):
        return f"concat_ws('-', {', '.join(whole)})"
    listed = ", ".join(one or _any(value) for one, value in zip(whole, values, strict=True))
    return f"md5(concat_ws('-', {listed}))"


def _whole(value: Expr) -> str:
    """A whole number, a date or a time as ClickHouse writes it in an id; "" for others."""
    type_ = value.type
    if type_.labels:
        number = enum_number(value)
    elif type_.root in INTEGERS:
        number = value.sql
    elif type_.root == "BOOLEAN":
        number = f"CAST({value.sql} AS INT)"
    elif type_.root == "DATE":
        number = f"date_format({value.sql}, 'yyyyMMdd')"
    elif type_.root == "DATE32":
        number = f"unix_date({value.sql})"
    elif type_.root == "TIMESTAMP_LTZ" and not type_.precision:
        number = f"unix_seconds({value.sql})"
    else:
        return ""
    return f"coalesce(CAST({number} AS STRING), 'NULL')"


def _any(value: Expr) -> str:
    if value.type.root in _NESTED:
        return f"to_json({value.sql})"
    if value.type.root == "TIMESTAMP_LTZ":
        return f"coalesce(CAST(unix_micros({value.sql}) AS STRING), 'NULL')"
    return f"coalesce(hex(CAST({value.sql} AS STRING)), 'NULL')"
