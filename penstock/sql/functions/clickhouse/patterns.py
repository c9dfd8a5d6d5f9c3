"""Regular expressions and LIKE patterns of ClickHouse as Spark reads them.

In ClickHouse `.` matches the end of a line too. RE2 knows less than Java: what it refuses is not
refused here.
"""

from __future__ import annotations

import re

from penstock.errors import PlanError
from penstock.model.types import literal
from penstock.sql.literals import text_of


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
