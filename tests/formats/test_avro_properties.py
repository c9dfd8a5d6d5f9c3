"""Random columns and rows: what Penstock reads and writes as Avro is what fastavro does.

Spark plans for longer than it runs: each direction is one job over all examples.
"""

from __future__ import annotations

import datetime
import decimal
import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import fastavro
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import Row
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, StructType

from penstock.formats.avro import Avro
from penstock.model.types import MAX_LENGTH, DataType, Fields, literal, spark_schema_text

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

_EXAMPLES = 60
_UTC = datetime.timezone.utc
_EPOCH = datetime.datetime(1970, 1, 1)
_DAYS = st.dates(datetime.date(1, 1, 1), datetime.date(9999, 12, 31))
_MILLIS_PER_DAY = 86_400_000


@dataclass(frozen=True)
class Kind:
    """A type and the values it can have."""

    type: DataType
    values: st.SearchStrategy[Any]


def _whole(root: str, bits: int) -> Kind:
    return Kind(DataType(root), st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1))


def _moments(unit: int) -> st.SearchStrategy[datetime.datetime]:
    moments = st.datetimes(datetime.datetime(1583, 1, 1), datetime.datetime(9999, 12, 30))
    return moments.map(lambda moment: moment.replace(microsecond=moment.microsecond // unit * unit))


_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_SCALARS = [
    Kind(DataType("BOOLEAN"), st.booleans()),
    *(_whole("TINYINT", 8), _whole("SMALLINT", 16), _whole("INT", 32), _whole("BIGINT", 64)),
    Kind(DataType("FLOAT"), st.floats(width=32, allow_nan=False)),
    Kind(DataType("DOUBLE"), st.floats(allow_nan=False)),
    Kind(DataType("VARCHAR", MAX_LENGTH), _TEXTS),
    Kind(DataType("VARBINARY", MAX_LENGTH), st.binary(max_size=8)),
    Kind(DataType("DATE"), _DAYS),
    Kind(
        DataType("TIME", 3),
        st.integers(0, _MILLIS_PER_DAY - 1).map(
            lambda ms: (_EPOCH + datetime.timedelta(milliseconds=ms)).time()
        ),
    ),
    Kind(DataType("TIMESTAMP", 3), _moments(1000)),
    Kind(DataType("TIMESTAMP", 6), _moments(1)),
    Kind(DataType("TIMESTAMP_LTZ", 6), _moments(1).map(lambda m: m.replace(tzinfo=_UTC))),
]


@st.composite
def _decimals(draw: st.DrawFn) -> Kind:
    precision = draw(st.integers(1, 38))
    scale = draw(st.integers(0, precision))
    limit = 10**precision - 1
    context = decimal.Context(prec=38)
    numbers = st.integers(-limit, limit).map(
        lambda n: decimal.Decimal(n).scaleb(-scale, context=context)
    )
    return Kind(DataType("DECIMAL", precision, scale), numbers)


@st.composite
def _kinds(draw: st.DrawFn, depth: int = 2) -> Kind:
    kind = draw(st.sampled_from(_SCALARS) | _decimals())
    shape = draw(st.sampled_from(["scalar", "ARRAY", "MAP", "ROW"])) if depth else "scalar"
    if shape == "ARRAY":
        inner = draw(_kinds(depth - 1))
        lists = st.lists(inner.values, max_size=3)
        kind = Kind(DataType("ARRAY", children=(("", inner.type),)), lists)
    elif shape == "MAP":
        inner = draw(_kinds(depth - 1))
        key = DataType("VARCHAR", MAX_LENGTH, nullable=False)
        maps = st.dictionaries(_TEXTS, inner.values, max_size=3)
        kind = Kind(DataType("MAP", children=(("", key), ("", inner.type))), maps)
    elif shape == "ROW":
        fields = draw(_fields(depth - 1))
        children = tuple((name, field.type) for name, field in fields.items())
        values = st.fixed_dictionaries({name: field.values for name, field in fields.items()})
        kind = Kind(DataType("ROW", children=children), values)
    if draw(st.booleans()):
        return Kind(kind.type.as_nullable(False), kind.values)
    return Kind(kind.type, st.none() | kind.values)


@st.composite
def _fields(draw: st.DrawFn, depth: int = 2) -> dict[str, Kind]:
    names = draw(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=4, unique=True))
    return {name: draw(_kinds(depth)) for name in names}


@dataclass(frozen=True)
class Example:
    """Columns, a row of them, and its bytes by fastavro."""

    fields: Fields
    row: dict[str, Any]

    @property
    def options(self) -> str:
        told = Avro((("encoding", "binary"), ("timestamp_mapping.legacy", False)))
        return json.dumps(told.told(self.fields))

    @property
    def schema(self) -> Any:
        return fastavro.parse_schema(json.loads(json.loads(self.options)["schema"]))

    @property
    def message(self) -> bytes:
        out = io.BytesIO()
        fastavro.schemaless_writer(out, self.schema, self.row)
        return out.getvalue()

    def value(self, message: bytes) -> Any:
        """What fastavro reads."""
        return fastavro.schemaless_reader(io.BytesIO(message), self.schema, None)


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    found: list[Example] = []

    @settings(
        max_examples=_EXAMPLES,
        phases=[Phase.generate],
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def collect(data: st.DataObject) -> None:
        fields = data.draw(_fields())
        types = tuple((name, kind.type) for name, kind in fields.items())
        row = {name: data.draw(kind.values) for name, kind in fields.items()}
        found.append(Example(types, row))

    collect()
    return found


def test_what_is_read_is_written_as_it_was(spark: SparkSession, examples: list[Example]) -> None:
    """Bytes → row → bytes: nothing of a row may be lost or changed on the way."""
    columns = [
        f"penstock_avro_encode(penstock_avro_decode(X'{example.message.hex()}', "
        f"{literal(spark_schema_text(example.fields))}, {literal(example.options)})[0], "
        f"{literal(example.options)}) AS c{number}"
        for number, example in enumerate(examples)
    ]
    row = spark.range(1).selectExpr(*columns).first()
    assert row is not None
    for example, found in zip(examples, row, strict=True):
        assert bytes(found) == example.message, example


def test_rows_are_those_of_fastavro(spark: SparkSession, examples: list[Example]) -> None:
    columns = [
        F.expr(
            f"penstock_avro_decode(X'{example.message.hex()}', "
            f"{literal(spark_schema_text(example.fields))}, {literal(example.options)})"
        ).cast(ArrayType(_readable(example.fields)))
        for example in examples
    ]
    row = spark.range(1).select(*columns).first()
    assert row is not None
    for example, found in zip(examples, row, strict=True):
        (only,) = found
        expected = example.value(example.message)
        types = dict(example.fields)
        assert _plain(only) == {name: _plain(expected[name]) for name in types}, example


def _readable(fields: Fields) -> StructType:
    """Instants as Python gives them in no zone of the machine; all can be null."""
    text = spark_schema_text(fields).replace('"timestamp"', '"timestamp_ntz"')
    text = text.replace('ontainsNull":false', 'ontainsNull":true')
    return StructType.fromJson(json.loads(text))


def _plain(value: Any) -> Any:
    if isinstance(value, Row):
        return {name: _plain(item) for name, item in value.asDict().items()}
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, datetime.datetime):
        return value.replace(tzinfo=None)
    return bytes(value) if isinstance(value, bytearray) else value
