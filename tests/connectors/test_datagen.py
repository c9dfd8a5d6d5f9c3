"""`datagen`: options → the table and its refusals, values of every type, rows under replay."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from penstock import OptionError, PenstockError, Session
from penstock.plan.query import Execution
from penstock.plan.script import plan_script
from penstock.sql.parse import parse
from tests.helpers import last_commit, take_back, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession


def script(columns: str, options: str = "", sink: str = "'connector' = 'blackhole'") -> str:
    comma = "," if options else ""
    return f"""
    CREATE TABLE made ({columns}) WITH ('connector' = 'datagen'{comma} {options});
    CREATE TABLE taken ({columns}) WITH ({sink});
    INSERT INTO taken SELECT * FROM made;
    """


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ("", None),
        ("'number-of-rows' = '7'", 7),
        ("'fields.n.kind' = 'sequence', 'fields.n.start' = '3', 'fields.n.end' = '9'", 7),
        (
            "'number-of-rows' = '5', 'fields.n.kind' = 'sequence', 'fields.n.start' = '3', "
            "'fields.n.end' = '9'",
            5,
        ),
    ],
)
def test_rows_and_sequences_bound_the_table(options: str, rows: int | None) -> None:
    (query,) = plan_script(parse(script("n INT", options)), name="t").queries
    assert (query.execution is Execution.BATCH) == (rows is not None)
    described = f"datagen, {rows} rows" if rows else "datagen, 10000/s"
    assert described in str(query.input.input.spec.source.describe())  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("columns", "options", "code", "says"),
    [
        ("n INT", "'fields.n.min' = '3', 'fields.n.max' = '2'", "INVALID_OPTION_VALUE", "3 on"),
        ("n INT", "'fields.n.min' = '1.5'", "INVALID_OPTION_VALUE", "whole"),
        ("n TINYINT", "'fields.n.max' = '128'", "INVALID_OPTION_VALUE", "TINYINT"),
        ("n INT", "'fields.n.length' = '3'", "UNKNOWN_OPTION", "fields.n.max"),
        ("n INT", "'fields.m.min' = '3'", "UNKNOWN_OPTION", "Did you mean 'fields.n.min'?"),
        ("n INT", "'fields.n.kind' = 'counting'", "INVALID_OPTION_VALUE", "'sequence'"),
        ("n INT", "'fields.n.null-rate' = '2'", "INVALID_OPTION_VALUE", "from 0 to 1"),
        ("n INT", "'rows-per-second' = '0'", "INVALID_OPTION_VALUE", "greater than zero"),
        (
            "n INT",
            "'fields.n.kind' = 'sequence', 'fields.n.start' = '1'",
            "CONFLICTING_OPTIONS",
            "Could not find required property 'fields.n.end' for sequence generator.",
        ),
        (
            "n INT",
            "'fields.n.kind' = 'sequence', 'fields.n.start' = '2', 'fields.n.end' = '1'",
            "INVALID_OPTION_VALUE",
            "from the start 2 on",
        ),
        ("s VARCHAR(5)", "'fields.s.length' = '6'", "INVALID_OPTION_VALUE", "from 1 to 5"),
        ("t TIMESTAMP(3)", "'fields.t.max-past' = 'long'", "INVALID_OPTION_VALUE", "duration"),
        (
            "a ARRAY<INT>",
            "'fields.a.kind' = 'sequence', 'fields.a.start' = '1', 'fields.a.end' = '2'",
            "INVALID_OPTION_VALUE",
            "'random'",
        ),
    ],
)
def test_what_cannot_be_is_refused(columns: str, options: str, code: str, says: str) -> None:
    with pytest.raises(PenstockError) as caught:
        plan_script(parse(script(columns, options)), name="t")
    assert caught.value.code == code
    assert says in str(caught.value)
    assert caught.value.span is not None


def test_nothing_can_be_put_into_it() -> None:
    text = script("n INT").replace("INSERT INTO taken SELECT * FROM made", "")
    with pytest.raises(PenstockError) as caught:
        plan_script(parse(text + "INSERT INTO made SELECT * FROM made"), name="t")
    assert caught.value.code == "NOT_A_SINK"


@pytest.mark.spark
def test_values_keep_to_their_type_and_options(spark: SparkSession, tmp_path: Path) -> None:
    columns = (
        "n BIGINT, i INT, big BIGINT, d DECIMAL(5, 2), wide DECIMAL(38, 10), f FLOAT, s STRING, "
        "v VARCHAR(4), long STRING, c CHAR(3), b VARBINARY(5), t TIMESTAMP(3), "
        "r ROW<x INT, y ARRAY<STRING>>, m MAP<STRING, INT>, o STRING, e ARRAY<INT>"
    )
    options = (
        "'number-of-rows' = '400', 'fields.n.kind' = 'sequence', 'fields.n.start' = '-5', "
        "'fields.n.end' = '1000', 'fields.i.min' = '-3', 'fields.i.max' = '3', "
        "'fields.d.min' = '-1', 'fields.d.max' = '1', 'fields.f.min' = '0', 'fields.f.max' = '1', "
        "'fields.s.length' = '7', 'fields.s.var-len' = 'true', 'fields.long.length' = '300', "
        "'fields.t.max-past' = '1 d', 'fields.r.x.min' = '5', 'fields.r.x.max' = '6', "
        "'fields.r.y.length' = '2', 'fields.r.y.element.length' = '1', 'fields.m.key.length' = '8',"
        "'fields.o.null-rate' = '0.25', 'fields.e.length' = '0'"
    )
    folder = tmp_path / "out"
    sink = f"'connector' = 'filesystem', 'path' = '{folder}', 'format' = 'json'"
    session = Session(spark, state_dir=tmp_path / "state")
    assert session.execute(script(columns, options, sink)).wait(120)
    rows = [
        json.loads(line) for file in folder.glob("part-*") for line in file.read_text().splitlines()
    ]
    assert sorted(row["n"] for row in rows) == list(range(-5, 395))
    assert {row["i"] for row in rows} == set(range(-3, 4))
    assert min(row["big"] for row in rows) < -(2**61) < 2**61 < max(row["big"] for row in rows)
    assert -1 <= min(row["d"] for row in rows) < 0 < max(row["d"] for row in rows) <= 1
    assert all(0 <= row["wide"] < 10**28 for row in rows)
    assert all(0 <= row["f"] <= 1 for row in rows)
    assert {len(row["s"]) for row in rows} == set(range(1, 7))
    assert {(len(r["v"]), len(r["long"]), len(r["c"])) for r in rows} == {(4, 300, 3)}
    assert len({row["long"] for row in rows}) == len(rows)
    assert len({row["t"] for row in rows}) > len(rows) / 2
    assert {row["r"]["x"] for row in rows} == {5, 6}
    assert {len(text) for row in rows for text in row["r"]["y"]} == {1}
    assert {len(row["m"]) for row in rows} == {3}
    assert 40 < sum(row["o"] is None for row in rows) < 160
    assert {len(row["e"]) for row in rows} == {0}


@pytest.mark.spark
def test_a_batch_that_comes_again_has_the_same_rows(spark: SparkSession, tmp_path: Path) -> None:
    """Broken off behind a batch, its commit taken back: the rows and their times come again."""
    out = tmp_path / "out.jsonl"
    session = Session(spark, bindings={"taken": str(out)}, state_dir=tmp_path / "state")
    text = script("n BIGINT, s STRING, t TIMESTAMP(3)", "'rows-per-second' = '50'").replace(
        "SELECT * FROM made", "SELECT n, SUBSTRING(s, 1, 5), t FROM made"
    )
    job = session.execute(text)
    wait_until(lambda: out.exists() and out.read_text().count("\n") > 50, timeout_s=60)
    job.stop(grace_s=0)
    before = out.read_text().splitlines()
    take_back(last_commit(tmp_path / "state"))
    assert session.execute(text, drain=True).wait(60)
    after = out.read_text().splitlines()
    assert len(after) >= len(before)
    assert after[: len(before)] == before
    assert max(Counter(json.loads(line)["s"] for line in after).values()) == 1


def test_the_connector_names_what_it_lacks() -> None:
    with pytest.raises(OptionError, match="rows-per-second"):
        plan_script(parse(script("n INT", "'rows-per-secnd' = '3'")), name="t")
