"""TIME columns as numbers while they are state, since `transformWithState` cannot keep a TIME.

Called by the operators of this folder, around what they hand to Java: `without_times` before it,
`with_times` after it. The values are not touched, only their type is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

_TIME = re.compile(r'"time\(\d\)"')
_NUMBER = '"long"'


def without_times(frame: DataFrame) -> DataFrame:
    """The rows with BIGINT in place of TIME, also inside of arrays, maps and rows."""
    numbers = {
        field.name: _TIME.sub(_NUMBER, field.dataType.json())
        for field in frame.schema.fields
        if _TIME.search(field.dataType.json())
    }
    return _retyped(frame, numbers)


def with_times(frame: DataFrame, schema: StructType) -> DataFrame:
    """The rows with TIME where the schema, of which they may have lost columns, has it."""
    times = {
        field.name: field.dataType.json()
        for field in schema.fields
        if field.name in frame.columns and _TIME.search(field.dataType.json())
    }
    return _retyped(frame, times)


def _retyped(frame: DataFrame, types: dict[str, str]) -> DataFrame:
    if not types:
        return frame
    columns = [f"`{name.replace('`', '``')}`" for name in frame.columns]
    return frame.select(
        *(
            F.call_function("penstock_retyped", F.col(quoted), F.lit(types[name])).alias(name)
            if name in types
            else F.col(quoted)
            for name, quoted in zip(frame.columns, columns, strict=True)
        )
    )
