"""A file bound in place of a table → its lines as records."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from penstock.connectors.base import FileSource
    from penstock.spark.sources.opening import Opening


def file(opening: Opening, source: FileSource) -> DataFrame:
    """The lines; Spark streams folders, not files, so the folder with one name let through."""
    path = Path(source.path)
    only = re.sub(r"([\\*?\[\]{}])", r"\\\1", path.name)
    lines = opening.reader("text").option("pathGlobFilter", only).load(str(path.parent))
    return lines.select(
        F.col("value").cast("binary").alias("value"),
        F.lit(source.path).alias("topic"),
        F.lit(0).alias("partition"),
        F.lit(-1).cast("bigint").alias("offset"),
    )
