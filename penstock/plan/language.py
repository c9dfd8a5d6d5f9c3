"""What differs between dialects once a query is parsed: its functions and its kinds of nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from penstock.model.expression import Expr
    from penstock.sql.functions.base import Signature


@dataclass(frozen=True, slots=True)
class Language:
    """One dialect's tables for the expression compiler.

    `handlers` compile a node by its kind, `calls` a call by its upper-case name; both are functions
    of the compiler and the node. `scalar` and `aggregate` are looked up by upper-case name.
    """

    name: str
    scalar: Mapping[str, tuple[Signature, ...]]
    aggregate: Mapping[str, tuple[Signature, ...]]
    handlers: Mapping[type, Callable[..., Expr]]
    calls: Mapping[str, Callable[..., Expr]]
