"""What Spark threw → an error a user can act on; a Java stack trace is never the message."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from penstock.errors import DataError, KafkaError, PenstockError, RunError

if TYPE_CHECKING:
    from collections.abc import Iterator

_BAD_MESSAGE = re.compile(
    r"PENSTOCK_BAD_MESSAGE topic=(?P<topic>\S+) partition=(?P<partition>\S+) "
    r"offset=(?P<offset>\S+) field=(?P<field>\S*) reason=(?P<reason>.*?) message=(?P<excerpt>.*)"
)
_BAD_ROW = re.compile(r"PENSTOCK_BAD_ROW (?P<reason>.*)")
_RAISED = re.compile(r"\[USER_RAISED_EXCEPTION\] (?P<reason>.*?)(?: SQLSTATE|\n|$)")
_NULL_WRITTEN = re.compile(
    r"\[USER_RAISED_EXCEPTION\] (?P<reason>Column .*? is NOT NULL, however.*?)(?: SQLSTATE|\n|$)"
)
_COMPUTATION = re.compile(
    r"\[(?:CAST_INVALID_INPUT|CAST_OVERFLOW|DIVIDE_BY_ZERO|ARITHMETIC_OVERFLOW|"
    r"NUMERIC_VALUE_OUT_OF_RANGE)[\w.]*\] (?P<reason>.*?)(?: SQLSTATE|\n|$)"
)
# Spark's advice speaks of its own functions and settings.
_ADVICE = re.compile(r"(?:Use `?try_|To return NULL|If necessary set|Use TRY_CAST).*", re.DOTALL)
_PYTHON = re.compile(r"PythonException: (?P<trace>.*?)(?:\n\s+at |\Z)", re.DOTALL)
_DATA_ERRORS = (
    (_BAD_ROW, "BAD_ROW"),
    (_NULL_WRITTEN, "NULL_IN_NOT_NULL"),
    (_RAISED, "BAD_VALUE"),
    (_COMPUTATION, "BAD_VALUE"),
)
_NO_BROKER = re.compile(r"org\.apache\.kafka\.common\.errors\.TimeoutException: (?P<reason>.*)")
_OWN = re.compile(r"penstock\.errors\.\w+: (?P<text>.*)")
_CAUSE = re.compile(r"Caused by: [\w.$]+: (?P<reason>.*)")


@contextmanager
def jvm_lost(log_file: object) -> Iterator[None]:
    """Say in a sentence that Spark's process is gone, however py4j says it."""
    from py4j.protocol import Py4JError, Py4JJavaError

    try:
        yield
    except Py4JJavaError:
        # Java is there and said what is wrong.
        raise
    except (Py4JError, ConnectionError) as error:
        raise RunError("JVM_LOST", log_file=log_file) from error


def translate(error: Exception, query: str, log_file: object) -> PenstockError:
    """The error of a query that stopped by itself."""
    from py4j.protocol import Py4JError, Py4JJavaError

    if isinstance(error, PenstockError):
        return error
    if isinstance(error, (Py4JError, ConnectionError)) and not isinstance(error, Py4JJavaError):
        return RunError("JVM_LOST", log_file=log_file)
    text = str(error)
    if match := _OWN.search(text):
        # Raised inside a batch, where Spark carries it through Java as text.
        return RunError("QUERY_FAILED", query=query, problem=match["text"], instead="")
    if match := _BAD_MESSAGE.search(text):
        facts: dict[str, Any] = match.groupdict()
        field = facts.pop("field")
        note = f" (field `{field}`)" if field not in ("", "-") else ""
        # A bound file has no offsets; its rows are given -1.
        code = "BAD_LINE" if facts["offset"] == "-1" else "BAD_MESSAGE"
        return DataError(code, field_note=note, **facts)
    for pattern, code in _DATA_ERRORS:
        if match := pattern.search(text):
            return DataError(code, reason=_ADVICE.sub("", match["reason"]).strip())
    if match := _NO_BROKER.search(text):
        return KafkaError("BROKER_LOST", query=query, reason=match["reason"])
    if (match := _PYTHON.search(text)) and "Traceback" in match["trace"]:
        lines = [line.strip() for line in match["trace"].splitlines() if line.strip()]
        return DataError("BAD_VALUE", reason=f"A Python function failed: {lines[-1]}.")
    causes = _CAUSE.findall(text)
    problem = (causes[-1] if causes else text.partition("\n")[0]).strip()
    return RunError(
        "QUERY_FAILED", query=query, problem=problem, instead=f"Spark's log: {log_file}."
    )
