"""What SET may say: the keys that have an effect, what they take, and what is only accepted."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from penstock.errors import OptionError
from penstock.model.option import Option, boolean, duration_ms, one_of, positive_number, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.model.span import Span


def _zone(value: str) -> str:
    """A zone Java knows: a name, or an offset from UTC."""
    if value == "default" or re.fullmatch(r"(UTC|GMT)?[+-]\d{1,2}(:\d{2})?", value):
        return value
    try:
        ZoneInfo(value)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        raise ValueError("a zone such as 'Asia/Shanghai', 'UTC' or '+08:00'") from None
    return value


def _local_folder(value: str) -> str:
    """A folder of this machine."""
    if "://" in value:
        raise ValueError("a folder on this machine; other file systems are not supported yet")
    return value


def _commit_interval(value: str) -> int:
    """A duration that Spark can keep to."""
    found = duration_ms(value)
    if found < 5_000:
        raise ValueError("a duration of at least 5 s, such as '10 s'")
    return found


def _megabytes(value: str) -> int:
    """A size that RocksDB can work with."""
    found = re.fullmatch(r"(\d+) *([mg])b?", value.strip().lower())
    if found is None or not int(found[1]):
        raise ValueError("a size such as '512 mb' or '2 gb'")
    return int(found[1]) * (1024 if found[2] == "g" else 1)


ZONE = "table.local-time-zone"
STATE_DIR = "penstock.state.dir"
WAREHOUSE = "penstock.warehouse"
MAX_OFFSETS = "penstock.max-offsets-per-batch"
STATE_MEMORY = "penstock.state.memory"
STATE_TTL = "table.exec.state.ttl"
MATERIALIZE = "table.exec.sink.upsert-materialize"
NOT_NULL = "table.exec.sink.not-null-enforcer"
LENGTHS = "table.exec.sink.type-length-enforcer"
# In front of the name of a macro.
MACROS = "penstock.macros."
# Two are a table's own.
_MACRO = re.compile(r"(?!(?:database|table)$)\w+")
DUPLICATES = "table.exec.source.cdc-events-duplicate"
SETTINGS: dict[str, Option[Any]] = {
    option.key: option
    for option in (
        Option("pipeline.name", text, None, "Name of the job; else the script's file name."),
        Option(
            ZONE,
            _zone,
            "default",
            "Zone of TIMESTAMP_LTZ as text and of windows over it; else the machine's.",
        ),
        Option(
            "table.dynamic-table-options.enabled",
            boolean,
            True,
            "Whether `/*+ OPTIONS(…) */` behind a table is allowed.",
            "Boolean",
        ),
        Option(
            "execution.runtime-mode",
            one_of("streaming", "batch", "automatic"),
            "streaming",
            "`batch` refuses tables without an end; where all tables end it is a batch anyway.",
            "Enum",
        ),
        Option(
            STATE_DIR,
            _local_folder,
            None,
            "Where jobs keep checkpoints and state; else `.penstock` beside the script.",
        ),
        Option(
            STATE_MEMORY,
            _megabytes,
            None,
            "Memory for state, beside Java's heap, of all queries of a process together; what is "
            "more lies on disk. Else an eighth of the machine's, 256 MB to 2 GB.",
            "MemorySize",
        ),
        Option(
            WAREHOUSE,
            _local_folder,
            None,
            "The folder of ClickHouse's tables at rest; else `warehouse.d` where jobs keep their "
            "state.",
        ),
        Option(
            MAX_OFFSETS,
            positive_number,
            None,
            "At most so many messages are read per micro-batch; else all there are.",
            "Integer",
        ),
        Option(
            "penstock.on-data-loss",
            one_of("fail", "continue"),
            "fail",
            "When messages are gone before they were read, or a topic was created anew: stop, or "
            "go on and count; a new topic is read from its beginning.",
            "Enum",
        ),
        Option(
            "penstock.latency",
            one_of("micro-batch", "real-time"),
            "micro-batch",
            "`real-time` hands rows on one by one, within milliseconds, where the query allows it.",
            "Enum",
        ),
        Option(
            "penstock.real-time.commit-interval",
            _commit_interval,
            120_000,
            "How often a `real-time` query notes what it has read; a crash repeats no more.",
            "Duration",
        ),
        Option(
            "penstock.credentials",
            text,
            None,
            "The named credentials of every Kafka table that names none itself.",
        ),
        Option(
            f"{MACROS}NAME",
            text,
            None,
            "What `{NAME}` stands for in brokers, topics, group, client id, schema and format of "
            "the Kafka tables that a ClickHouse script creates; any name but `database` and "
            "`table`.",
        ),
        Option(
            "table.exec.source.idle-timeout",
            duration_ms,
            0,
            "A partition without a row for so long no longer holds back the watermark; 0: it does.",
            "Duration",
        ),
        Option(
            DUPLICATES,
            boolean,
            False,
            "Whether topics of CDC formats may have a change more than once. Then the last row of "
            "each key is kept, to tell only what is new; the table needs a PRIMARY KEY.",
            "Boolean",
        ),
        Option(
            STATE_TTL,
            duration_ms,
            0,
            "How long the changelog engine keeps state that nothing touches; 0: for ever. Groups "
            "without a window, DISTINCT and joins without a bound in time run on it then; state "
            "that goes with the watermark is not meant.",
            "Duration",
        ),
        Option(
            MATERIALIZE,
            one_of("AUTO", "FORCE", "NONE"),
            "AUTO",
            "Whether the rows of each key of a sink are kept, to find the last of them: `AUTO` "
            "where their key lacks a part of that of the rows that change, always, or never.",
            "Enum",
        ),
        Option(
            NOT_NULL,
            one_of("ERROR", "DROP"),
            "ERROR",
            "What becomes of a row with NULL in a column of a sink that is `NOT NULL`.",
            "Enum",
        ),
        Option(
            LENGTHS,
            one_of("IGNORE", "TRIM_PAD"),
            "IGNORE",
            "`TRIM_PAD` makes values as long as `CHAR`, `VARCHAR`, `BINARY` and `VARBINARY` of a "
            "sink say, also where the query's type says the same.",
            "Enum",
        ),
    )
}
# Passed on to Spark as they are.
SPARK_PREFIX = "spark."
_BOOL = one_of("0", "1", "false", "true")
DIRECT_SELECT = "stream_like_engine_allow_direct_select"
FLUSH_INTERVAL = "stream_flush_interval_ms"
NO_CONSUMERS_LIMIT = "kafka_disable_num_consumers_limit"
JOIN_NULLS = "join_use_nulls"
# What a ClickHouse script may SET that changes something.
CLICKHOUSE_SETTINGS: dict[str, Option[Any]] = {
    option.key: option
    for option in (
        Option(DIRECT_SELECT, _BOOL, "0", "Whether a query may read a Kafka table.", "Bool"),
        Option(
            NO_CONSUMERS_LIMIT,
            _BOOL,
            "0",
            "Whether `kafka_num_consumers` may be more than the cores, or than 16.",
            "Bool",
        ),
        Option(
            FLUSH_INTERVAL,
            positive_number,
            None,
            "`kafka_flush_interval_ms` of tables that say none.",
            "Milliseconds",
        ),
        Option(
            JOIN_NULLS,
            _BOOL,
            "0",
            "Whether a row without a partner in an outer join has NULL, not defaults.",
            "Bool",
        ),
    )
}

# Flink's own: accepted so that scripts run unchanged, named as without effect.
_FLINK_PREFIXES = (
    "execution.",
    "jobmanager.",
    "metrics.",
    "parallelism.",
    "pipeline.",
    "rest.",
    "restart-strategy",
    "sql-client.",
    "state.",
    "table.",
    "taskmanager.",
)


def check_setting(key: str, value: str, span: Span | None) -> None:
    """Refuse a key nobody knows and a value that cannot be."""
    if key in SETTINGS:
        check_value(SETTINGS[key], value, span)
    elif key.startswith(MACROS):
        if not _MACRO.fullmatch(key.removeprefix(MACROS)):
            expected = "a name of letters, digits and _, neither `database` nor `table`"
            raise OptionError("INVALID_SETTING", span=span, key=key, value=value, expected=expected)
    elif not key.startswith((SPARK_PREFIX, *_FLINK_PREFIXES)):
        raise OptionError(
            "UNKNOWN_SETTING",
            span=span,
            key=key,
            did_you_mean=_did_you_mean(key),
            known=", ".join(f"'{known}'" for known in SETTINGS),
        )


def check_value(option: Option[Any], value: str, span: Span | None) -> None:
    """Refuse a value that the setting does not take."""
    try:
        option.parse(value)
    except ValueError as expected:
        raise OptionError(
            "INVALID_SETTING", span=span, key=option.key, value=value, expected=expected
        ) from None


def no_effect(key: str) -> str:
    """That a setting changes nothing here, and what that means; empty if it does."""
    if key in SETTINGS or key in CLICKHOUSE_SETTINGS or key.startswith((MACROS, SPARK_PREFIX)):
        return ""
    # Flink has many settings whose names are near to each other: only a slip is taken for one.
    return f"no effect here.{near}" if (near := _did_you_mean(key, 0.9)) else "no effect here"


def _did_you_mean(key: str, alike: float = 0.6) -> str:
    near = difflib.get_close_matches(key, SETTINGS, n=1, cutoff=alike)
    return f" Did you mean '{near[0]}'?" if near else ""


def setting(settings: Mapping[str, str], key: str) -> Any:
    """The value of a declared setting, converted; its default if nobody set it."""
    option = SETTINGS[key]
    return option.parse(settings[key]) if key in settings else option.default
