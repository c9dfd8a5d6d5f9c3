"""Avro against Spark's `from_avro`, and with a schema registry against without, without Kafka."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql.avro.functions import from_avro, to_avro

from benchmarks.report import AT_LEAST, OURS, Bar
from penstock.formats.avro import Avro
from penstock.formats.avro_confluent import AvroConfluent
from penstock.formats.avro_schema import avro_schema
from penstock.jars.fetch import jars
from penstock.model.types import BIGINT, DOUBLE, STRING, TIMESTAMP_3
from tests.registries.apicurio import Registry, unpacked

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

    from penstock.formats.base import Format

FIELDS = (
    ("id", BIGINT),
    ("user", STRING),
    ("category", STRING),
    ("price", DOUBLE),
    ("ts", TIMESTAMP_3),
)
_ROW = (
    "id",
    "concat('user_', id % 100000) AS user",
    "element_at(array('books', 'toys', 'food', 'tea'), CAST(id % 4 AS INT) + 1) AS category",
    "id % 10007 * 0.25D AS price",
    "timestamp_millis(1600000000000 + id * 37) AS ts",
)
_PLAIN = "plain avro"


def spark_avro() -> Path:
    """Spark's own module for Avro, which is no part of Spark's package."""
    (jar,) = jars("avro", ivy_file=Path(__file__).with_name("ivy.xml"))
    return jar


@dataclass(frozen=True, slots=True)
class AvroCodec:
    """Decoding five columns; with `registered` behind the id that a real registry has given."""

    other: str
    bar: Bar
    registered: bool = False
    _open: ExitStack = field(default_factory=ExitStack, compare=False)

    def sides(self, session: SparkSession, count: int) -> dict[str, DataFrame]:
        """What decodes messages of the same rows."""
        schema = json.dumps(avro_schema(FIELDS))
        rows = session.range(0, count, 1, 4).selectExpr(*_ROW)
        plain = _messages(rows, to_avro(F.struct("*"), schema))
        avro = _decoded(plain, Avro((("encoding", "binary"), ("timestamp_mapping.legacy", True))))
        if not self.registered:
            theirs = plain.select(from_avro("value", schema).alias("row")).select("row.*")
            return {OURS: avro, self.other: theirs}
        registry = self._registry()
        number = registry.register("bench-value", json.loads(schema))
        head = F.lit(b"\x00" + number.to_bytes(4, "big"))
        behind_id = _messages(rows, F.concat(head, to_avro(F.struct("*"), schema)))
        options = (("url", registry.url), ("table", "bench"), ("option", "avro-confluent.url"))
        return {OURS: _decoded(behind_id, AvroConfluent(options)), self.other: avro}

    def close(self) -> None:
        """End the registry, if there is one."""
        self._open.close()

    def _registry(self) -> Registry:
        folder = Path(self._open.enter_context(TemporaryDirectory(prefix="penstock-registry-")))
        registry = Registry(unpacked(folder / "program"), folder)
        registry.start()
        self._open.callback(registry.stop)
        return registry


def _messages(rows: DataFrame, value: Column) -> DataFrame:
    place = ("'t' AS topic", "0 AS partition", "0L AS offset")
    found = rows.select(value.alias("value")).selectExpr("value", *place).cache()
    found.count()
    return found


def _decoded(messages: DataFrame, format_: Format) -> DataFrame:
    return messages.select(F.inline(F.expr(format_.decode("value", FIELDS))))


CASES = {
    "decode_avro": AvroCodec("from_avro", Bar(AT_LEAST, 1)),
    "decode_avro_confluent": AvroCodec(_PLAIN, Bar(AT_LEAST, 0.8), registered=True),
}
