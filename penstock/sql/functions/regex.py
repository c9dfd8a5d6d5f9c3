"""Flink's functions of regular expressions; both it and Spark use Java's.

The expression must be a literal: Flink gives NULL for one that is wrong, Spark fails.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.types import BOOLEAN, INT, STRING
from penstock.sql.functions.base import Signature as S
from penstock.sql.functions.text import quoted_replacement
from penstock.sql.literals import integer_of, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.model.expression import Expr

_TOKEN = re.compile(
    r"""\\Q.*?(?:\\E|$) | \\. | \[ | \]
    | (?P<flags> \(\?[a-zA-Z-]*\) )
    | (?P<plain> \(\?(?: [=>] | <= | [a-zA-Z-]*: ) )
    | (?P<never> \(\?<?! )
    | (?P<group> \(\?<[a-zA-Z][^>]*> | \((?!\?) )
    | (?P<close> \)(?: [?*] | \{0 )? )
    | (?P<or> \| )""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(slots=True)
class _Level:
    own: int | None = None
    never: bool = False
    either: bool = False
    inside: list[int] = field(default_factory=list)


def group_certainty(regex: str) -> list[bool]:
    """For each group, whether it has text in every match; Spark gives '' where Flink gives NULL."""
    certain: list[bool] = []
    levels = [_Level()]
    brackets = 0
    for match in _TOKEN.finditer(regex):
        part, kind = match[0], match.lastgroup
        brackets = max(0, brackets + (part == "[") - (part == "]"))
        if brackets or kind is None:
            continue
        if kind == "flags" and "x" in part:
            _refuse(regex, "Comments inside it are not supported.")
        if kind == "or":
            levels[-1].either = True
        elif kind in ("plain", "never", "group"):
            own = len(certain) if kind == "group" else None
            certain.extend([True] * (own is not None))
            levels.append(_Level(own, kind == "never"))
        elif kind == "close" and len(levels) > 1:
            _close(levels.pop(), levels[-1], certain, optional=len(part) > 1)
    if levels[0].either:
        return [False] * len(certain)
    return certain


def _close(level: _Level, outer: _Level, certain: list[bool], *, optional: bool) -> None:
    members = [*level.inside, *([] if level.own is None else [level.own])]
    doubtful = members if optional or level.never else level.inside if level.either else []
    for index in doubtful:
        certain[index] = False
    outer.inside.extend(members)


def _refuse(regex: str, reason: str) -> None:
    raise PlanError("UNSUPPORTED_EXPRESSION", expression=regex, instead=reason)


def _extract(arguments: Sequence[Expr]) -> str:
    text, regex = arguments[0].sql, arguments[1].sql
    index = (integer_of(arguments[2].sql) or 0) if len(arguments) > 2 else 0
    groups = group_certainty(text_of(arguments[1].sql) or "")
    if index < 0 or index > len(groups):
        return "CAST(NULL AS STRING)"
    if index and not groups[index - 1]:
        _refuse(
            text_of(arguments[1].sql) or "",
            f"Group {index} can be left out of a match; make it a part of every match.",
        )
    return f"if({text} RLIKE {regex}, regexp_extract({text}, {regex}, {index}), NULL)"


def _replace(arguments: Sequence[Expr]) -> str:
    text, regex = arguments[0].sql, arguments[1].sql
    return f"regexp_replace({text}, {regex}, {quoted_replacement(arguments[2])})"


def _find(arguments: Sequence[Expr]) -> str:
    text, regex = arguments
    if not text_of(regex.sql):
        return f"if({text.sql} IS NULL, NULL, FALSE)"
    return f"({text.sql} RLIKE {regex.sql})"


REGEX: dict[str, tuple[S, ...]] = {
    "REGEXP": (S(("text", "literal text"), _find, BOOLEAN),),
    "REGEXP_COUNT": (S(("text", "literal text"), "regexp_count({0}, {1})", INT),),
    "REGEXP_EXTRACT": (
        S(("text", "literal text"), _extract, STRING),
        S(("text", "literal text", "literal int"), _extract, STRING),
    ),
    "REGEXP_INSTR": (S(("text", "literal text"), "regexp_instr({0}, {1})", INT),),
    "REGEXP_REPLACE": (S(("text", "literal text", "text"), _replace, STRING),),
    "REGEXP_SUBSTR": (S(("text", "literal text"), _extract, STRING),),
}
