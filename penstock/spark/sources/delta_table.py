"""The rows of a Delta table that a script names by its folder, in the columns of the script."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pyspark.errors import AnalysisException
from pyspark.sql.types import StructType

from penstock.errors import RunError
from penstock.spark.delta import StoredTable, delta_path
from penstock.spark.delta_columns import DeltaColumns
from penstock.spark.kept import keep, read_kept

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from penstock.connectors.delta import DeltaSource
    from penstock.spark.sources.opening import Opening

_VERSIONS = "tables.json"
_VERSION = "versionAsOf"


def delta_table(opening: Opening, source: DeltaSource) -> DataFrame:
    """All rows there are, or a stream of them; beside a stream perhaps those there first were."""
    path = delta_path(source.path)
    options = dict(source.options)
    try:
        if opening.static == "first" and not options:
            options = {_VERSION: str(_first_version(opening, path))}
        found = opening.reader("delta").options(**options).load(path)
    except AnalysisException as error:
        reason = str(error).partition("\n")[0]
        raise RunError(
            "DELTA_TABLE_UNREADABLE", table=opening.table, path=source.path, reason=reason
        ) from error
    declared = StructType.fromJson(json.loads(source.schema))
    return found.select(*DeltaColumns(opening.table, source.path, declared, found.schema).read())


def _first_version(opening: Opening, path: str) -> int:
    """The version of the query's first run, kept beside its checkpoint as Flink keeps the rows."""
    file = opening.place.folder / _VERSIONS
    kept = read_kept(file)
    if path not in kept:
        kept[path] = StoredTable(opening.session, path).version
        keep(file, kept)
    return int(kept[path])
