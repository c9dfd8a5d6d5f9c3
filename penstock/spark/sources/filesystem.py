"""The files of a folder → their lines as records, each with the facts of its file."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from penstock.connectors.filesystem import MODIFIED, NAME, PATH, SIZE, unescaped
from penstock.model.types import literal

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from penstock.connectors.filesystem import FilesystemSource
    from penstock.spark.sources.opening import Opening

# A line ends where Flink ends it: a carriage return inside is part of the line.
_OPTIONS = {"recursiveFileLookup": "true", "lineSep": "\n"}
# Spark forgets files older than a week beside newer ones, and would never read one that comes late.
_MAX_AGE = {"maxFileAge": "36500d"}
_SCHEME = "^[A-Za-z][A-Za-z0-9+.-]*:(//[^/]*)?"
# Spark gives the path as a URI, in which a space is %20.
_PATH = f"regexp_replace({unescaped('_metadata.file_path')}, {literal(_SCHEME)}, '')"


def filesystem(opening: Opening, source: FilesystemSource) -> DataFrame:
    """The records of all files below the folder; names beginning with `.` or `_` are not read."""
    options = _OPTIONS if opening.batch else {**_OPTIONS, **_MAX_AGE}
    reader = opening.reader(source.kind).options(**options)
    if source.schema:
        reader = reader.schema(StructType.fromJson(json.loads(source.schema)))
    found = reader.load(source.path)
    records = found.select(
        *(_line() if source.kind == "text" else [F.col("*")]),
        F.expr(_PATH).alias(PATH),
        F.expr(f"element_at(split({_PATH}, '/'), -1)").alias(NAME),
        F.col("_metadata.file_size").alias(SIZE),
        F.col("_metadata.file_modification_time").alias(MODIFIED),
    )
    for pattern in _patterns(source):
        records = records.where(F.expr(f"{PATH} RLIKE {literal(pattern)}"))
    return records


def _line() -> list[Column]:
    """A line as a record, under the names that a message has."""
    return [
        F.expr("CAST(rtrim('\r', value) AS BINARY)").alias("value"),
        F.expr(_PATH).alias("topic"),
        F.lit(0).alias("partition"),
        F.lit(-1).cast("bigint").alias("offset"),
    ]


def _patterns(source: FilesystemSource) -> list[str]:
    patterns = [f"^(?:{source.pattern})$"] if source.pattern else []
    if source.partitions:
        folders = "".join(f"/{re.escape(name)}=[^/]*" for name in source.partitions)
        patterns.append(f"{folders}/[^/]*$")
    return patterns
