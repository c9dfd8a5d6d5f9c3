"""What Spark threw → an error a user can act on; a Java stack trace is never the message."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from penstock.connectors.kafka_options import FAILURE_HANDLER
from penstock.errors import DataError, KafkaError, PenstockError, RunError
from penstock.spark.log import log_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_BAD_MESSAGE = re.compile(
    r"PENSTOCK_BAD_MESSAGE topic=(?P<topic>\S+) partition=(?P<partition>\S+) "
    r"offset=(?P<offset>\S+) field=(?P<field>\S*)(?: skip=(?P<skip>\S+))? "
    r"reason=(?P<reason>.*?) message=(?P<excerpt>.*)"
)
_BAD_ROW = re.compile(r"PENSTOCK_BAD_ROW field=(?P<field>\S+) reason=(?P<reason>.*)")
_SINK = re.compile(r"PENSTOCK_SINK_(?P<kind>ROW|WRITE) table=(?P<table>.*?) reason=(?P<reason>.*)")
_DEAD_LETTER = re.compile(
    r"PENSTOCK_DEAD_LETTER table=(?P<table>.*?) topic=(?P<topic>\S+) reason=(?P<reason>.*)"
)
_RAISED = re.compile(r"\[USER_RAISED_EXCEPTION\] (?P<reason>.*?)(?: SQLSTATE|\n|$)")
_NULL_WRITTEN = re.compile(
    r"\[USER_RAISED_EXCEPTION\] (?P<reason>Column .*? is NOT NULL, however.*?)(?: SQLSTATE|\n|$)"
)
_COMPUTATION = re.compile(
    r"\[(?:CAST_INVALID_INPUT|CAST_OVERFLOW|DIVIDE_BY_ZERO|ARITHMETIC_OVERFLOW|"
    r"NUMERIC_VALUE_OUT_OF_RANGE|CONVERSION_INVALID_INPUT)"
    r"[\w.]*\] (?P<reason>.*?)(?: SQLSTATE|\n|$)"
)
# Spark's advice speaks of its own functions and settings.
_ADVICE = re.compile(r"(?:Use `?try_|To return NULL|If necessary set|Use TRY_CAST).*", re.DOTALL)
_PYTHON = re.compile(
    r"(?:PythonException: |from the Python worker:)(?P<trace>.*?)(?:\n\s*(?:at |SQLSTATE|\n|=)|\Z)",
    re.DOTALL,
)
_BAD_VALUE = re.compile(r"PENSTOCK_BAD_VALUE reason=(?P<reason>.*)")
_DATA_ERRORS = (
    (_NULL_WRITTEN, "NULL_IN_NOT_NULL"),
    (_RAISED, "BAD_VALUE"),
    (_BAD_VALUE, "BAD_VALUE"),
    (_COMPUTATION, "BAD_VALUE"),
)
_LOST_MESSAGES = re.compile(
    r"PENSTOCK_DATA_LOSS topic=(?P<topic>\S+) partition=(?P<partition>\d+) "
    r"wanted=(?P<wanted>-?\d+) earliest=(?P<earliest>-?\d+)"
)
_REGISTRY = r"table=(?P<table>\S+) option=(?P<option>\S+) url=(?P<url>\S+)"
_KAFKA = r"org\.apache\.kafka\.common\.errors\."
# What Kafka, a registry and Spark's source say: pattern, class, code; the groups are the facts.
_KAFKA_ERRORS: tuple[tuple[re.Pattern[str], type[PenstockError], str], ...] = (
    (_LOST_MESSAGES, DataError, "MESSAGES_GONE"),
    (
        re.compile(f"PENSTOCK_REGISTRY_LOST {_REGISTRY} reason=(?P<reason>.*)"),
        KafkaError,
        "REGISTRY_LOST",
    ),
    (
        re.compile(
            f"PENSTOCK_REGISTRY_REFUSED {_REGISTRY} "
            r"reason=(?P<reason>.*?) instead=(?P<instead>.*)"
        ),
        KafkaError,
        "REGISTRY_REFUSED",
    ),
    (re.compile(r"PENSTOCK_TOPIC_RECREATED topic=(?P<topic>\S+)"), DataError, "TOPIC_RECREATED"),
    (
        re.compile(
            r"PENSTOCK_PARTITIONER table=(?P<table>\S+) class=(?P<name>\S+) reason=(?P<reason>.*)"
        ),
        DataError,
        "PARTITIONER_FAILED",
    ),
    (
        re.compile(
            r"Partition (?P<topic>\S+)-(?P<partition>\d+) offset was changed from "
            r"(?P<wanted>\d+) to (?P<last>\d+)"
        ),
        DataError,
        "OFFSET_BEHIND_END",
    ),
    (
        re.compile(
            r"(?:Partitions|partitions) (?:Set|HashSet|List)?\(?(?P<what>[^)\n]*)\)? "
            r"(?:have been deleted|are gone)"
        ),
        KafkaError,
        "TOPIC_GONE",
    ),
    (re.compile(r"Topic (?P<what>\S+) not present in metadata"), KafkaError, "TOPIC_GONE"),
    (
        re.compile(_KAFKA + r"UnknownTopic(?:OrPartition|Id)Exception: (?P<what>.*)"),
        KafkaError,
        "TOPIC_GONE",
    ),
    (
        re.compile(_KAFKA + r"\w*Auth(?:orization|entication)Exception: (?P<reason>.*)"),
        KafkaError,
        "ACCESS_LOST",
    ),
    (
        re.compile(_KAFKA + r"(?:Timeout|Disconnect)Exception: (?P<reason>.*)"),
        KafkaError,
        "BROKER_LOST",
    ),
)
_OWN = re.compile(r"penstock\.errors\.\w+: (?P<text>.*)")
_CAUSE = re.compile(r"Caused by: [\w.$]+: (?P<reason>.*)")
# What py4j says first is only which call failed.
_THROWN = re.compile(r"^: [\w.$]+: (?P<reason>.*)", re.MULTILINE)


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
        raise RunError("JVM_LOST", log_file=log_of(log_file)) from error


@contextmanager
def translated(query: str, log_file: object) -> Iterator[None]:
    """What Spark throws in here as the error of a query; other errors stay what they are."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (Py4JError, PySparkException) as error:
        raise translate(error, query, log_file) from error


def translate(error: Exception, query: str, log_file: object) -> PenstockError:
    """The error of a query that stopped by itself."""
    from py4j.protocol import Py4JError, Py4JJavaError

    if isinstance(error, PenstockError):
        return error
    if isinstance(error, (Py4JError, ConnectionError)) and not isinstance(error, Py4JJavaError):
        return RunError("JVM_LOST", log_file=log_of(log_file))
    text = _told(error)
    found = _of_row(text, query) or _of_sink(text, query) or _of_value(text)
    found = found or _of_kafka(text, query) or _of_python(text)
    if found:
        return found
    causes = _CAUSE.findall(text) or _THROWN.findall(text)
    problem = (causes[-1] if causes else text.partition("\n")[0]).strip()
    log = f"Spark's log: {log_of(log_file)}."
    return RunError("QUERY_FAILED", query=query, problem=problem, instead=log)


def _told(error: Exception) -> str:
    """What an error says, and its causes: Spark's may tell only which file was being written."""
    texts, cause = [str(error)], getattr(error, "_cause", None)
    while cause is not None:
        texts.append(f"Caused by: {type(cause).__name__}: {cause}")
        cause = getattr(cause, "_cause", None)
    return "\n".join(texts)


def _of_row(text: str, query: str) -> PenstockError | None:
    """What we said ourselves: in a batch, where Spark carries it as text, or of a message."""
    if match := _OWN.search(text):
        return RunError("QUERY_FAILED", query=query, problem=match["text"], instead="")
    if not (match := _BAD_MESSAGE.search(text)):
        return None
    facts: dict[str, Any] = match.groupdict()
    note, option = _field_note(facts.pop("field")), facts.pop("skip")
    facts["reason"] = facts["reason"].rstrip(".")
    skip = f"'{option}' = 'true'" if option else f"'{FAILURE_HANDLER}' = 'log'"
    # A bound file has no offsets; its rows are given -1.
    code = "BAD_LINE" if facts["offset"] == "-1" else "BAD_MESSAGE"
    return DataError(code, field_note=note, skip=skip, **facts)


def _field_note(field: str) -> str:
    return f" (field `{field}`)" if field not in ("", "-") else ""


def _of_sink(text: str, query: str) -> PenstockError | None:
    if match := _DEAD_LETTER.search(text):
        facts: dict[str, Any] = {"query": query, **match.groupdict()}
        return KafkaError("DEAD_LETTER_FAILED", **facts)
    if not (match := _SINK.search(text)):
        return None
    facts = {"query": query, **match.groupdict()}
    is_row = facts.pop("kind") == "ROW"
    return DataError("BAD_RECORD", **facts) if is_row else KafkaError("WRITE_FAILED", **facts)


def _of_value(text: str) -> PenstockError | None:
    if match := _BAD_ROW.search(text):
        note = _field_note(match["field"])
        return DataError("BAD_ROW", reason=match["reason"].strip(), field_note=note)
    for pattern, code in _DATA_ERRORS:
        if match := pattern.search(text):
            return DataError(code, reason=_ADVICE.sub("", match["reason"]).strip())
    return None


def _of_kafka(text: str, query: str) -> PenstockError | None:
    for pattern, family, code in _KAFKA_ERRORS:
        if match := pattern.search(text):
            facts: dict[str, Any] = {k: v.strip(" .") for k, v in match.groupdict().items()}
            return family(code, query=query, **facts)
    return None


def _of_python(text: str) -> PenstockError | None:
    if not (match := _PYTHON.search(text)) or "Traceback" not in match["trace"]:
        return None
    lines = [line.strip() for line in match["trace"].splitlines() if line.strip()]
    return DataError("BAD_VALUE", reason=f"A Python function failed: {lines[-1]}.")
