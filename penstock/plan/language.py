"""What differs between dialects once a query is parsed: its functions and its kinds of nodes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from penstock.model.expression import Expr
    from penstock.model.types import DataType
    from penstock.sql.functions.base import Signature


@dataclass(frozen=True, slots=True)
class Language:
    """One dialect's tables for the expression compiler.

    `handlers` compile a node by its kind, `calls` a call by its upper-case name; both are functions
    of the compiler and the node. `scalar` and `aggregate` are looked up by upper-case name.
    `refused` says why a function that the dialect has is not there.
    `groups_by_alias`: GROUP BY may name an item of SELECT, or its position. `truth` reads a value
    as a condition where the dialect has conditions that are not BOOLEAN. `shared_type` and
    `convert` say in which type the rows of a UNION meet, where that is not Flink's; `order_key`
    what a value is sorted by; `absent` what a row has in the columns of an outer join's other side
    when that has none, where it is not NULL; `over` the functions that exist with OVER only, where
    they are not the standard's. `stars_by_table`: of columns of one name in `*`, later ones go by
    their table's name, too. `type_text` is a type as the dialect writes it. `default_database`: how
    the dialect calls the one that is always there, where its names have no catalog.
    """

    name: str
    scalar: Mapping[str, tuple[Signature, ...]]
    aggregate: Mapping[str, tuple[Signature, ...]]
    handlers: Mapping[type, Callable[..., Expr]]
    calls: Mapping[str, Callable[..., Expr]]
    groups_by_alias: bool = False
    refused: Mapping[str, str] = field(default_factory=dict)
    truth: Callable[[Expr], Expr] | None = None
    shared_type: Callable[[DataType, DataType], DataType | None] | None = None
    convert: Callable[[Expr, DataType], Expr] | None = None
    order_key: Callable[[Expr], Expr] | None = None
    absent: Callable[[DataType], str] | None = None
    over: Mapping[str, tuple[Signature, ...]] | None = None
    stars_by_table: bool = False
    type_text: Callable[[DataType], str] = str
    default_database: str = ""
