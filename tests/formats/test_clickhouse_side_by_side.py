"""Random values that ClickHouse itself writes: read and written again, they are the same bytes.

`make test-slow` installs ClickHouse as a library, apart from the virtualenv.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import functions as F

from penstock.formats.clickhouse import CLICKHOUSE_FORMATS
from penstock.model.option import OptionReader
from penstock.model.types import quote, spark_schema_text
from penstock.sql.clickhouse.type_reader import type_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_CLICKHOUSE = Path(__file__).parents[2] / ".venv/clickhouse"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.spark,
    pytest.mark.skipif(not _CLICKHOUSE.exists(), reason="`make test-slow` installs ClickHouse"),
]

_TYPES = (
    *("UInt8", "UInt16", "UInt32", "UInt64", "Int8", "Int16", "Int32", "Int64", "Bool"),
    *("Float32", "Float64", "Decimal(9, 2)", "Decimal(18, 4)", "Decimal(38, 10)"),
    *("String", "Nullable(String)", "LowCardinality(String)", "UUID", "IPv4", "IPv6"),
    *("Date", "Date32", "DateTime", "DateTime('Asia/Tokyo')", "DateTime64(3, 'UTC')"),
    *("DateTime64(6, 'America/New_York')", "Enum8('a' = 1, 'b c' = -3, 'd\\'e' = 7)"),
    *("Array(String)", "Array(Nullable(Int32))", "Array(Array(UInt64))", "Map(UInt64, Float64)"),
    *("Tuple(Int8, String)", "Tuple(a UInt64, b Array(String))", "Nullable(DateTime64(3))"),
)
_FORMATS = ("JSONEachRow", "CSV", "TSV")
_VALUES = 5_000
_WRITE = """
import json, pathlib, sys
from chdb import session

folder, types, formats, count = json.loads(sys.argv[1])
server = session.Session()
for place, type_ in enumerate(types):
    escaped = type_.replace(chr(92), chr(92) * 2).replace("'", chr(92) + "'")
    for format_ in formats:
        query = f"SELECT * FROM generateRandom('x {escaped}', {place + 1}, 12, 4) LIMIT {count}"
        found = server.query(query, format_)
        pathlib.Path(folder, f"{place}.{format_}").write_bytes(found.bytes())
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The values of each type in each format, a line each."""
    folder = tmp_path_factory.mktemp("clickhouse")
    told = json.dumps([str(folder), _TYPES, _FORMATS, _VALUES])
    path = {**os.environ, "PYTHONPATH": str(_CLICKHOUSE), "TZ": "UTC"}
    subprocess.run([sys.executable, "-c", _WRITE, told], check=True, env=path, timeout=300)
    return folder


@pytest.mark.parametrize("type_", _TYPES)
def test_what_clickhouse_writes_is_read_and_written_again(
    type_: str, written: Path, spark: SparkSession
) -> None:
    fields = (("x", type_of(type_, "x")),)
    columns = [("x", quote("x"), fields[0][1])]
    for name in _FORMATS:
        format_ = CLICKHOUSE_FORMATS[name].of_table(OptionReader("t", ()), 0)
        lines = spark.read.text(str(written / f"{_TYPES.index(type_)}.{name}"), lineSep="\n")
        if "Float" in type_:
            # JSON has no nan: it is written as null, which is read as 0.
            lines = lines.where("value NOT LIKE '%null%'")
        told = F.lit(json.dumps(format_.told(fields)))
        rows = F.call_function(
            format_.DECODE,
            # An empty message has no rows; an empty line is one.
            F.concat("value", F.lit("\n")).cast("binary"),
            F.lit(spark_schema_text(fields)),
            told,
        )
        read = lines.select("value", F.explode(rows).alias("row")).select("value", "row.*")
        again = read.select("value", F.expr(format_.encode(columns)).cast("string").alias("ours"))
        compared = again.select("value", F.rtrim("ours", F.lit("\n")).alias("ours"))
        assert compared.count() == lines.count() > _VALUES * 0.9
        different = compared.where("value <> ours").limit(5).collect()
        assert [tuple(row) for row in different] == [], name
