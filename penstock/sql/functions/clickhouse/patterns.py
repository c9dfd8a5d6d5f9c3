"""Regular expressions and LIKE patterns of ClickHouse as Spark reads them.

In ClickHouse `.` matches the end of a line too. RE2 knows less than Java: what it refuses is not
refused here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.types import literal
from penstock.sql.literals import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.model.expression import Expr


def like_pattern(sql: str) -> str:
    """A LIKE pattern: a backslash before another character than %, _ and itself is a letter."""
    known = text_of(sql)
    if known is None:
        return rf"regexp_replace({sql}, '\\\\(?![%_\\\\])', '\\\\\\\\')"
    return literal(re.sub(r"\\(?![%_\\])", r"\\\\", known))


def regex(sql: str) -> str:
    """A regular expression, which must be a literal."""
    known = text_of(sql) or ""
    return literal(f"(?s){known}")


def has_group(sql: str) -> bool:
    """Whether the expression has a group that captures."""
    known = text_of(sql) or ""
    return re.search(r"(?<!\\)\((?!\?)|\(\?P?<[A-Za-z]", known) is not None


def matches_nothing(sql: str) -> bool:
    """Whether the expression matches an empty text."""
    known = text_of(sql) or ""
    try:
        return re.search(re.sub(r"\\p\{\w+\}|\\pL", "x", known), "") is not None
    except re.error:
        return False


def replacement(sql: str) -> str:
    r"""What replaces a match: `\1` names a group here, `$1` in Java."""
    known = text_of(sql)
    if known is None:
        raise PlanError(
            "INVALID_QUERY",
            problem="The replacement of a regular expression must be written as a literal.",
            instead="",
        )
    escaped = known.replace("$", "\\$")
    return literal(re.sub(r"\\([0-9])", r"$\1", escaped))


def extract(arguments: Sequence[Expr]) -> str:
    """The first group of the first match, or the match."""
    text, pattern = (argument.sql for argument in arguments)
    return f"regexp_extract({text}, {regex(pattern)}, {int(has_group(pattern))})"


def extract_all(arguments: Sequence[Expr]) -> str:
    """The first group of each match, or the matches."""
    text, pattern = (argument.sql for argument in arguments)
    _refuse_empty("extractAll", pattern)
    return f"regexp_extract_all({text}, {regex(pattern)}, {int(has_group(pattern))})"


def replace_all(arguments: Sequence[Expr]) -> str:
    r"""An expression of plain letters is replaced as a text: `\0` is not read then."""
    text, pattern, other = (argument.sql for argument in arguments)
    known = text_of(pattern) or ""
    if re.escape(known) == known:
        return f"replace({text}, {pattern}, {other})"
    if not known.startswith("^") and not known.endswith("$"):
        _refuse_empty("replaceRegexpAll", pattern)
    return f"regexp_replace({text}, {regex(pattern)}, {replacement(other)})"


def split_regex(arguments: Sequence[Expr]) -> str:
    """The parts between matches."""
    pattern, text = (argument.sql for argument in arguments)
    _refuse_empty("splitByRegexp", pattern)
    return f"split({text}, {regex(pattern)}, -1)"


def _refuse_empty(function: str, pattern: str) -> None:
    if matches_nothing(pattern):
        raise PlanError(
            "INVALID_QUERY",
            problem=f"The expression of {function} matches an empty text.",
            instead="Write one that matches at least one character.",
        )
