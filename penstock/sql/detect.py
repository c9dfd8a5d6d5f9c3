"""Which dialect a script is written in: what it says itself, else what its words give away."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.sql.spans import span_at

if TYPE_CHECKING:
    from penstock.model.span import Span

_SAID = re.compile(r"--[ \t]*dialect[ \t]*:[ \t]*([\w-]+)[ \t]*$", re.MULTILINE | re.IGNORECASE)
_HEAD = re.compile(r"(?:\s+|--[^\n]*(?:\n|$)|/\*.*?\*/)*", re.DOTALL)
_QUIET = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|--[^\n]*|/\*.*?\*/", re.DOTALL)

# dialect → words that no other one has; the first that is found decides
_SIGNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("clickhouse", re.compile(r"\bENGINE\s*=", re.IGNORECASE)),
    ("clickhouse", re.compile(r"\bMATERIALIZED\s+VIEW\b[^;]*?\bTO\b", re.IGNORECASE)),
    ("clickhouse", re.compile(r"\b(?:ATTACH|DETACH|OPTIMIZE)\s+TABLE\b", re.IGNORECASE)),
    (
        "clickhouse",
        re.compile(r"\bFORMAT\s+(?:JSON|Pretty|CSV|TSV|Vertical|Markdown)\w*\s*(?:;|$)"),
    ),
    ("clickhouse", re.compile(r"\bU?Int(?:8|16|32|64|128|256)\b")),
    ("clickhouse", re.compile(r"\b(?:Nullable|LowCardinality|DateTime64)\s*\(")),
    ("blink", re.compile(r"\bWITH\s*\(\s*[A-Za-z_][\w.]*\s*=(?=\s)", re.IGNORECASE)),
    ("blink", re.compile(r"\bWITHOFFSET\s*\(", re.IGNORECASE)),
)
_BLINK_TYPE = re.compile(r"""\btype['"`]?\s*=\s*['"]kafka0(?:8|9|10|11)['"]""", re.IGNORECASE)


def said(text: str) -> tuple[str, Span] | None:
    """The name in a `-- dialect: NAME` line before the first statement."""
    head = _HEAD.match(text)
    match = _SAID.search(text, 0, head.end() if head else 0)
    if not match:
        return None
    return match[1].lower(), span_at(text, match.start(1), len(match[1]))


def detect(text: str) -> tuple[str, str]:
    """The dialect and the reason, as the end of a sentence that begins with "because"."""
    if match := _BLINK_TYPE.search(text):
        return "blink", _reason(text, match)
    quiet = _QUIET.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for dialect, sign in _SIGNS:
        if match := sign.search(quiet):
            return dialect, _reason(text, match)
    return "flink", "nothing in it belongs to another dialect"


def _reason(text: str, match: re.Match[str]) -> str:
    words = " ".join(match[0].split())
    shown = words if len(words) <= 40 else words[:39] + "…"
    return f"line {span_at(text, match.start()).line} has `{shown}`"
