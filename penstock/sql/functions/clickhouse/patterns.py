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
    known = (text_of(sql) or "").replace("(?P<", "(?<")
    return literal(f"(?s){known}")


def group_count(sql: str) -> int:
    """How many groups of the expression capture."""
    known = text_of(sql) or ""
    try:
        return re.compile(_without_classes(known)).groups
    except re.error:
        return len(re.findall(r"(?<!\\)\((?!\?)|\(\?P?<[A-Za-z]", known))


def matches_nothing(sql: str) -> bool:
    """Whether the expression matches an empty text."""
    known = text_of(sql) or ""
    try:
        return re.search(_without_classes(known), "") is not None
    except re.error:
        return False


def _without_classes(pattern: str) -> str:
    """As Python reads it, which has no classes of characters by name."""
    return re.sub(r"\\p\{\w+\}|\\pL", "x", pattern)


def replacement(sql: str, pattern: str) -> str:
    r"""What replaces a match: `\1` names a group here, `$1` in Java."""
    known = text_of(sql)
    if known is None:
        raise PlanError(
            "INVALID_QUERY",
            problem="The replacement of a regular expression must be written as a literal.",
            instead="",
        )
    groups = group_count(pattern)
    if any(int(named) > groups for named in re.findall(r"\\([0-9])", known)):
        raise PlanError(
            "INVALID_QUERY",
            problem="The replacement names a group that the regular expression does not have.",
            instead="",
        )
    escaped = known.replace("$", "\\$")
    return literal(re.sub(r"\\([0-9])", r"$\1", escaped))


def extract(arguments: Sequence[Expr]) -> str:
    """The first group of the first match, or the match."""
    text, pattern = (argument.sql for argument in arguments)
    return f"regexp_extract({text}, {regex(pattern)}, {min(group_count(pattern), 1)})"


def extract_all(arguments: Sequence[Expr]) -> str:
    """The first group of each match, or the matches."""
    text, pattern = (argument.sql for argument in arguments)
    _refuse_empty("extractAll", pattern)
    return f"regexp_extract_all({text}, {regex(pattern)}, {min(group_count(pattern), 1)})"


def replace_all(arguments: Sequence[Expr]) -> str:
    r"""An expression of plain letters is replaced as a text: `\0` is not read then."""
    text, pattern, other = (argument.sql for argument in arguments)
    known = text_of(pattern) or ""
    if re.escape(known) == known:
        return f"replace({text}, {pattern}, {other})"
    if not known.startswith("^") and not known.endswith("$"):
        _refuse_empty("replaceRegexpAll", pattern)
    return f"regexp_replace({text}, {regex(pattern)}, {replacement(other, pattern)})"


def replace_first(arguments: Sequence[Expr]) -> str:
    r"""The first match alone; of plain letters as `replace_all`."""
    text, pattern, other = (argument.sql for argument in arguments)
    known = text_of(pattern) or ""
    plain = re.escape(known) == known
    by = literal(_quoted(text_of(other) or "")) if plain else replacement(other, pattern)
    return f"penstock_replace_first({text}, {regex(pattern)}, {by})"


def _quoted(text: str) -> str:
    """A replacement that stands for itself."""
    return re.sub(r"([\\$])", r"\\\1", text)


def groups(arguments: Sequence[Expr]) -> str:
    """All groups of the first match."""
    text, pattern = (argument.sql for argument in arguments)
    count = group_count(pattern)
    if not count:
        raise PlanError(
            "INVALID_QUERY", problem="There are no groups in the expression.", instead=""
        )
    found = (f"regexp_extract({text}, {regex(pattern)}, {n + 1})" for n in range(count))
    nothing = "CAST(array() AS ARRAY<STRING>)"
    return f"if({text} RLIKE {regex(pattern)}, array({', '.join(found)}), {nothing})"


def count_matches(arguments: Sequence[Expr]) -> str:
    """How often it matches, without overlaps."""
    text, pattern = (argument.sql for argument in arguments)
    _refuse_empty("countMatches", pattern)
    return f"CAST(regexp_count({text}, {regex(pattern)}) AS DECIMAL(20, 0))"


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
