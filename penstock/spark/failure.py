"""What Spark threw → an error a user can act on; a Java stack trace is never the message."""

from __future__ import annotations

import re
from typing import Any

from penstock.errors import DataError, KafkaError, PenstockError, RunError

_BAD_MESSAGE = re.compile(
    r"PENSTOCK_BAD_MESSAGE topic=(?P<topic>\S+) partition=(?P<partition>\S+) "
    r"offset=(?P<offset>\S+) field=(?P<field>\S*) reason=(?P<reason>.*?) message=(?P<excerpt>.*)"
)
_BAD_ROW = re.compile(r"PENSTOCK_BAD_ROW (?P<reason>.*)")
_RAISED = re.compile(r"\[USER_RAISED_EXCEPTION\] (?P<reason>.*?)(?: SQLSTATE|\n|$)")
_COMPUTATION = re.compile(
    r"\[(?:CAST_INVALID_INPUT|CAST_OVERFLOW|DIVIDE_BY_ZERO|ARITHMETIC_OVERFLOW|"
    r"NUMERIC_VALUE_OUT_OF_RANGE)[\w.]*\] (?P<reason>.*?)(?: SQLSTATE|\n|$)"
)
_DATA_ERRORS = (
    (_BAD_ROW, "BAD_ROW"),
    (_RAISED, "NULL_IN_NOT_NULL"),
    (_COMPUTATION, "BAD_VALUE"),
)
_NO_BROKER = re.compile(r"TimeoutException: (?P<reason>.*)")
_CAUSE = re.compile(r"Caused by: [\w.$]+: (?P<reason>.*)")


def translate(error: Exception, query: str, log_file: object) -> PenstockError:
    """The error of a query that stopped by itself."""
    text = str(error)
    if match := _BAD_MESSAGE.search(text):
        facts: dict[str, Any] = match.groupdict()
        field = facts.pop("field")
        note = f" (field `{field}`)" if field not in ("", "-") else ""
        return DataError("BAD_MESSAGE", field_note=note, **facts)
    for pattern, code in _DATA_ERRORS:
        if match := pattern.search(text):
            return DataError(code, reason=match["reason"])
    if match := _NO_BROKER.search(text):
        return KafkaError("BROKER_LOST", query=query, reason=match["reason"])
    causes = _CAUSE.findall(text)
    problem = (causes[-1] if causes else text.partition("\n")[0]).strip()
    return RunError(
        "QUERY_FAILED", query=query, problem=problem, instead=f"Spark's log: {log_file}."
    )
