"""The options of `filesystem` tables, declared once."""

from __future__ import annotations

import re
from typing import Any

from penstock.model.option import Option, boolean, duration_ms, one_of, positive_number, text

_MEMORY = re.compile(r"\d+\s*(b|bytes|k|kb|kibibytes|m|mb|mebibytes|g|gb|gibibytes|t|tb)?", re.I)
_NO_EFFECT = "Accepted: every batch finishes its files."


def _memory_size(value: str) -> str:
    if not _MEMORY.fullmatch(value.strip()):
        raise ValueError("a size such as '128MB'")
    return value


def _policies(value: str) -> tuple[str, ...]:
    kinds = tuple(kind.strip() for kind in value.split(","))
    if any(kind != "success-file" for kind in kinds):
        raise ValueError("'success-file'; 'metastore' and 'custom' are not supported")
    return kinds


_DECLARED: tuple[Option[Any], ...] = (
    Option("connector", text, None, "`filesystem`.", required=True),
    Option(
        "path",
        text,
        None,
        "The folder, or a single file to read: `/a/b`, `file:///a/b`, or any Hadoop path.",
        required=True,
    ),
    Option("format", text, None, "`json`, `csv`: one record per line; `parquet`.", required=True),
    Option(
        "source.monitor-interval",
        duration_ms,
        None,
        "Look for new files so often; without it the files that are there are the whole table.",
        "Duration",
    ),
    Option("source.path.regex-pattern", text, None, "Read only files whose whole path matches."),
    Option(
        "partition.default-name",
        text,
        "__DEFAULT_PARTITION__",
        "Stands in the folder's name for a partition value that is NULL or empty.",
    ),
    Option("sink.rolling-policy.file-size", _memory_size, "128MB", _NO_EFFECT, "MemorySize"),
    Option("sink.rolling-policy.rollover-interval", duration_ms, None, _NO_EFFECT, "Duration"),
    Option("sink.rolling-policy.check-interval", duration_ms, None, _NO_EFFECT, "Duration"),
    Option(
        "auto-compaction",
        boolean,
        False,
        "Each batch writes one file per partition.",
        "Boolean",
    ),
    Option(
        "compaction.file-size",
        _memory_size,
        None,
        "Accepted: a compacted batch is one file, of whatever size.",
        "MemorySize",
    ),
    Option(
        "sink.shuffle-by-partition.enable",
        boolean,
        False,
        "Rows of one partition are written by one task: fewer files.",
        "Boolean",
    ),
    Option(
        "sink.partition-commit.trigger",
        one_of("process-time", "partition-time"),
        "process-time",
        "What must pass a partition's time and delay before it is committed: the clock, counted "
        "from the partition's first file, or the watermark, counted from the partition's values.",
        "Enum",
    ),
    Option("sink.partition-commit.delay", duration_ms, 0, "How long to wait.", "Duration"),
    Option(
        "sink.partition-commit.policy.kind",
        _policies,
        None,
        "`success-file`: an empty file in the folder of a committed partition.",
    ),
    Option("sink.partition-commit.success-file.name", text, "_SUCCESS", "Its name."),
    Option(
        "sink.partition-commit.watermark-time-zone",
        text,
        "UTC",
        "The zone in which a partition's time is read; that of the watermark's column.",
    ),
    Option(
        "partition.time-extractor.kind",
        one_of("default"),
        "default",
        "How a partition's time is made of its values; `custom` is not supported.",
    ),
    Option(
        "partition.time-extractor.timestamp-pattern",
        text,
        None,
        "A timestamp with the columns in it: `$dt $hour:00:00`; else the first column.",
    ),
    Option(
        "sink.parallelism",
        positive_number,
        None,
        "How many tasks write.",
        "Integer",
    ),
)
OPTIONS = {option.key: option for option in _DECLARED}
