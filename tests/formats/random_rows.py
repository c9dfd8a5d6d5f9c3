"""Random types and rows of them, and how they get into Spark and out again unchanged."""

from __future__ import annotations

import decimal
import json
import struct
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from pyspark.sql import functions as F
from pyspark.sql import types as T

if TYPE_CHECKING:
    import datetime

    from pyspark.sql import DataFrame, SparkSession

# One example is many rows, for a Spark job costs more than they do; for the same reason a failure
# is shown as it was found. The same examples in each run: what is found once becomes a case.
examples = settings(
    max_examples=4,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate,),
)
ROWS = 100

TEXTS = st.text(max_size=40)
_DAYS = st.dates()
_TIMES = st.datetimes()
SCALARS: dict[T.DataType, st.SearchStrategy[Any]] = {
    T.BooleanType(): st.booleans(),
    T.ByteType(): st.integers(-(2**7), 2**7 - 1),
    T.ShortType(): st.integers(-(2**15), 2**15 - 1),
    T.IntegerType(): st.integers(-(2**31), 2**31 - 1),
    T.LongType(): st.integers(-(2**63), 2**63 - 1),
    T.FloatType(): st.floats(width=32),
    T.DoubleType(): st.floats(),
    T.StringType(): TEXTS,
    T.BinaryType(): st.binary(max_size=40),
    T.DateType(): _DAYS,
    T.TimestampNTZType(): _TIMES,
    T.TimestampType(): _TIMES,
    **{
        T.DecimalType(digits, places): st.integers(-(10**digits) + 1, 10**digits - 1).map(
            lambda number, places=places: decimal.Decimal(number).scaleb(
                -places, decimal.Context(prec=38)
            )
        )
        for digits, places in ((1, 0), (9, 9), (18, 3), (38, 0), (38, 18), (38, 38))
    },
}


def types(*, nested: bool) -> st.SearchStrategy[T.DataType]:
    """Any type; arrays, maps and rows inside of each other only where the format has them."""
    scalars = st.sampled_from(list(SCALARS))
    if not nested:
        return st.one_of(scalars, scalars.map(T.ArrayType), _rows(scalars))
    return st.recursive(
        scalars,
        lambda inner: st.one_of(
            inner.map(T.ArrayType),
            inner.map(lambda type_: T.MapType(T.StringType(), type_)),
            _rows(inner),
        ),
        max_leaves=6,
    )


_NAMES = ("a", "B", "two words", "ümlaut", 'quo"te', "back\\slash", "dot.ted", "`tick`", "{}", "")


def _rows(inner: st.SearchStrategy[T.DataType]) -> st.SearchStrategy[T.StructType]:
    names = st.lists(st.sampled_from(_NAMES), min_size=2, max_size=4, unique=True)
    return names.flatmap(
        lambda chosen: st.tuples(*(inner for _ in chosen)).map(
            lambda found: T.StructType(list(map(T.StructField, chosen, found)))
        )
    )


def schemas(*, nested: bool) -> st.SearchStrategy[T.StructType]:
    """The columns of a table."""
    return st.lists(types(nested=nested), min_size=2, max_size=5).map(
        lambda found: T.StructType([T.StructField(f"f{i}", t) for i, t in enumerate(found)])
    )


def frame(spark: SparkSession, schema: T.StructType, rows: list[Any]) -> DataFrame:
    """A column `row` of these rows, and `id`, their place."""
    held = T.StructType().add("id", T.IntegerType()).add("row", _zoneless(schema))
    made = spark.createDataFrame(list(enumerate(rows)), held, verifySchema=False).coalesce(1)
    return made.select("id", F.col("row").cast(schema).alias("row"))


def readable(schema: T.StructType) -> T.ArrayType:
    """The type of decoded rows by which Python sees their values unchanged."""
    return T.ArrayType(_zoneless(schema))


def _zoneless(schema: T.StructType) -> T.StructType:
    """Python would shift instants by the zone of the machine."""
    text = schema.json().replace('"timestamp"', '"timestamp_ntz"')
    return T.StructType.fromJson(json.loads(text))


def plain(value: Any) -> Any:
    """A value that can be compared: rows as lists, floats by their bits."""
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, float):
        return "NaN" if value != value else struct.pack(">d", value)
    return bytes(value) if isinstance(value, bytearray) else value


def seconds_text(value: datetime.datetime) -> str:
    """A timestamp in SQL's form, with the digits of a second that it needs."""
    text = value.isoformat(sep=" ")
    return text.rstrip("0") if "." in text else text
