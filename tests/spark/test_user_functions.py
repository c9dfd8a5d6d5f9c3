"""CREATE FUNCTION … LANGUAGE PYTHON: found beside the script, typed by its annotations."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from penstock import Session

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

MODULE = """
from decimal import Decimal

RATE = Decimal("1.19")

def gross(net: Decimal) -> Decimal:
    return None if net is None else net * RATE

gross.input_types = ["DECIMAL(10, 2)"]
gross.result_type = "DECIMAL(12, 4)"

def shout(text: str, times: int) -> str | None:
    return None if text is None else text.upper() + "!" * times

def letters(text: str) -> list[str]:
    return sorted(set(text or ""))

def lengths(text: str) -> dict[str, int]:
    return {text: len(text)} if text else {}
"""

SCRIPT = """
CREATE FUNCTION gross AS 'shop.gross' LANGUAGE PYTHON;
CREATE TEMPORARY FUNCTION IF NOT EXISTS Shout AS 'shop.shout' LANGUAGE PYTHON;
CREATE FUNCTION letters AS 'shop.letters' LANGUAGE PYTHON;
CREATE FUNCTION lengths AS 'shop.lengths' LANGUAGE PYTHON;
CREATE TABLE orders (name STRING, net INT) WITH ('connector' = 'foreign');
CREATE TABLE bills (name STRING, gross DECIMAL(12, 4), of ARRAY<STRING>, two BOOLEAN) WITH (
  'connector' = 'x');
INSERT INTO bills SELECT SHOUT(name, 2), gross(net), letters(name),
  CAST(MAP['ab', 2] AS MAP<STRING, BIGINT>) = lengths(name) FROM orders;
"""


def test_functions_of_a_module_run(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shop.py").write_text(MODULE)
    rows = [{"name": "ab", "net": 100}, {"name": None, "net": None}]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.chdir(tmp_path)
    bindings = {"orders": "in.jsonl", "bills": "out.jsonl"}
    session = Session(spark, bindings=bindings, state_dir=tmp_path / "state")
    session.execute(SCRIPT, drain=True).wait(60)
    found = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert found == [
        {"name": "AB!!", "gross": 119, "of": ["a", "b"], "two": True},
        {"name": None, "gross": None, "of": [], "two": False},
    ]
