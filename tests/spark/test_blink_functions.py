"""Blink's own functions, by execution; each line is a call and what Blink gives for it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from penstock import Session

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

CALLS = {
    "BITAND(6, 3)": "2",
    "BITOR(6, 3)": "7",
    "BITXOR(6, 3)": "5",
    "BITNOT(7)": "-8",
    "DATEDIFF('2017-10-15 00:00:00', '2017-09-15 00:00:00')": "30",
    "DATEDIFF('2017-09-15', '2017-10-15')": "-30",
    "DATEDIFF('nonsense', '2017-10-15')": None,
    "DATEDIFF(TIMESTAMP '2017-10-15 23:00:00', TIMESTAMP '2017-10-14 01:00:00')": "1",
    "DATE_ADD('2017-09-15 00:00:00', 30)": "2017-10-15",
    "DATE_SUB('2017-10-15', 30)": "2017-09-15",
    "DATE_ADD(TIMESTAMP '2017-09-15 12:00:00', 1)": "2017-09-16",
    "TO_TIMESTAMP(0)": "1970-01-01 00:00:00.000",
    "TO_TIMESTAMP(1501750584123)": "2017-08-03 08:56:24.123",
    "TO_TIMESTAMP('2017-08-03 08:56:24')": "2017-08-03 08:56:24.000",
}


def test_calls(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"a": 1}\n')
    names = [f"c{i}" for i in range(len(CALLS))]
    script = f"""-- dialect: blink
    SET 'table.local-time-zone' = 'UTC';
    create table src (a INT) with (type = 'x');
    create table dst ({", ".join(f"{name} VARCHAR" for name in names)}) with (type = 'x');
    INSERT INTO dst SELECT {", ".join(f"cast({call} as VARCHAR)" for call in CALLS)} FROM src;"""
    files = {"src": tmp_path / "in.jsonl", "dst": tmp_path / "out.jsonl"}
    bindings = {name: str(file) for name, file in files.items()}
    session = Session(spark, bindings=bindings, state_dir=tmp_path / "state")
    session.execute(script, drain=True).wait(60)
    found = json.loads(files["dst"].read_text())
    assert dict(zip(CALLS, found.values(), strict=True)) == CALLS
