"""`filesystem` with files of Parquet."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from penstock import SqlError
from penstock.plan.script import plan_script
from penstock.sql.parse import parse
from tests.connectors.folders import copy

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.connectors.folders import Folder

TYPES = (
    "n BIGINT, b TINYINT, d DECIMAL(10, 2), s STRING, f DOUBLE, o BOOLEAN, y VARBINARY(3), "
    "day DATE, at TIMESTAMP(6), seen TIMESTAMP_LTZ(3), r ROW<x INT, y ARRAY<STRING>>, "
    "m MAP<STRING, INT>"
)
PARQUET = "'format' = 'parquet', 'parquet.utc-timezone' = 'true'"
ROUND = f"""
CREATE TABLE made ({TYPES}) WITH (
  'connector' = 'filesystem', 'path' = '<in>', 'format' = 'json'
);
CREATE TABLE files ({TYPES}) WITH (
  'connector' = 'filesystem', 'path' = '<out>/files', {PARQUET}, 'parquet.compression' = 'ZSTD'
);
CREATE TABLE back ({TYPES}) WITH (
  'connector' = 'filesystem', 'path' = '<out>/back', 'format' = 'json'
);
"""


@pytest.mark.spark
def test_parquet_keeps_every_type(folder: Folder, spark: SparkSession) -> None:
    line = (
        '{"n":1,"b":-7,"d":1.50,"s":"é","f":0.1,"o":true,"y":"AQID","day":"1969-12-31",'
        '"at":"1890-01-01 00:00:00.000001","seen":"2024-03-10 02:30:00Z",'
        '"r":{"x":null,"y":["a",null]},"m":{"k":1}}'
    )
    empty = "{" + ",".join(f'"{name}":null' for name in json.loads(line)) + "}"
    folder.write("a", line, empty)
    folder.run(ROUND + "INSERT INTO files SELECT * FROM made;")
    folder.run(ROUND + "INSERT INTO back SELECT * FROM files;")
    lines = [line.replace("1.50", "1.5"), empty]
    found = [text.replace("1.50", "1.5") for text in folder.lines("back")]
    assert [json.loads(text) for text in found] == [json.loads(text) for text in sorted(lines)]
    stored = spark.read.parquet(str(folder.path / "out" / "files")).schema
    assert stored["at"].dataType.simpleString() == "timestamp"
    folder.run(ROUND + "INSERT INTO files SELECT * FROM made WHERE n = 5;")
    assert len(list((folder.path / "out" / "files").glob("part-*"))) == 1, "no empty files"


def test_parquet_needs_to_know_the_zone_of_times() -> None:
    text = copy("n INT, at TIMESTAMP(3)", format="parquet").replace("<in>", "/x")
    with pytest.raises(SqlError, match=r"parquet\.utc-timezone"):
        plan_script(parse(text), name="t")
