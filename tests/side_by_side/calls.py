"""The calls of `calls.txt`, for each choice of columns, and the functions that must stand there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.plan.clickhouse.calls import CALLS as FORMS
from penstock.sql.functions.clickhouse import AGGREGATES, ALIASES, TOPICS, WINDOWS
from penstock.sql.functions.clickhouse.randoms import RANDOMS
from tests.side_by_side.columns import expanded

if TYPE_CHECKING:
    from collections.abc import Iterable

# Functions whose values are the moment's own: they differ from run to run.
NOT_COMPARED = dict.fromkeys(("now", "now64", "today", "yesterday"), "the clock")
NOT_COMPARED |= dict.fromkeys(("version", "timeZone"), "each has its own")
NOT_COMPARED |= dict.fromkeys(RANDOMS, "chance")
NOT_COMPARED["arrayJoin"] = "rows, not values: compared by queries"
# Aggregates and windows are compared by `queries`.
_ELSEWHERE = {*NOT_COMPARED, *AGGREGATES, *WINDOWS}


def _calls() -> list[str]:
    lines = Path(__file__).with_name("calls.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def expressions() -> list[str]:
    """All calls, each once."""
    return list(dict.fromkeys(sql for call in _calls() for sql in expanded(call)))


def names() -> list[str]:
    """The functions of the tables that can be compared."""
    listed = [*(name for topic in TOPICS.values() for name in topic), *FORMS, *ALIASES]
    return [name for name in listed if ALIASES.get(name, name) not in _ELSEWHERE]


def without_a_call() -> list[str]:
    """Those that no expression calls."""
    called = called_in(_calls())
    return [name for name in names() if name not in called]


def called_in(expressions: Iterable[str]) -> set[str]:
    """The names that stand before a bracket."""
    return {name for sql in expressions for name in re.findall(r"(\w+)\(", sql)}
