"""The dialects by name: each a function from a script's text to its statements."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.errors import SqlError
from penstock.sql import blink
from penstock.sql.grammar import flink

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from penstock.model.span import Span
    from penstock.sql.statements import Statement


@dataclass(frozen=True, slots=True)
class Grammar:
    """A dialect: the name later stages know it by, what it is called, how it is read."""

    name: str
    title: str
    statements: Callable[[str], Iterator[Statement]]


def _clickhouse(text: str) -> Iterator[Statement]:
    from penstock.sql.clickhouse.grammar import statements

    return statements(text)  # type: ignore[return-value]  # it has statements of its own


_FLINK = Grammar("flink", "Flink SQL", flink.statements)

DIALECTS: dict[str, Grammar] = {
    "blink": Grammar("blink", "Blink SQL", blink.statements),
    "clickhouse": Grammar("clickhouse", "ClickHouse SQL", _clickhouse),
    "flink": _FLINK,
    # Their scripts are Flink's: same statements, same options.
    "dli": _FLINK,
    "huawei": _FLINK,
    "qingcloud": _FLINK,
    "ververica": _FLINK,
}


def grammar(name: str, span: Span | None) -> Grammar:
    """A dialect by name, in any letter case."""
    found = DIALECTS.get(name.lower())
    if found is None:
        near = difflib.get_close_matches(name.lower(), DIALECTS, n=1)
        raise SqlError(
            "UNKNOWN_DIALECT",
            span=span,
            dialect=name,
            did_you_mean=f" Did you mean `{near[0]}`?" if near else "",
            known=", ".join(sorted(DIALECTS)),
        )
    return found
