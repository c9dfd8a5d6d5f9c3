"""`print` and `blackhole`: Flink's text of a row, its kind, where it goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock import PenstockError, Session
from penstock.connectors.print import PrintTarget
from penstock.model.changelog import ChangelogMode
from penstock.plan.script import plan_script
from penstock.spark.place import Place
from penstock.spark.sinks.print import PrintSink
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

# Spark SQL → what Flink's print connector shows of it
TEXTS = [
    ("CAST(NULL AS INT)", "null"),
    ("true", "true"),
    ("CAST(-7 AS TINYINT)", "-7"),
    ("9223372036854775807", "9223372036854775807"),
    ("CAST(1 AS FLOAT)", "1.0"),
    ("CAST(12345678.9 AS DOUBLE)", "1.23456789E7"),
    ("CAST('NaN' AS DOUBLE)", "NaN"),
    ("CAST(1.50 AS DECIMAL(10, 2))", "1.50"),
    ("CAST('0.0000001' AS DECIMAL(10, 7))", "1E-7"),
    ("CAST(0 AS DECIMAL(20, 10))", "0E-10"),
    ("'a, \"b\"'", 'a, "b"'),
    ("''", ""),
    ("unhex('01FF')", "[1, -1]"),
    ("DATE '2020-01-02'", "2020-01-02"),
    ("TIMESTAMP_NTZ '2020-01-01 00:00:00'", "2020-01-01T00:00"),
    ("TIMESTAMP_NTZ '2020-01-01 12:34:56.120'", "2020-01-01T12:34:56.120"),
    ("TIMESTAMP '2020-01-01 00:00:00Z'", "2020-01-01T00:00:00Z"),
    ("TIMESTAMP '1969-12-31 23:59:59.5Z'", "1969-12-31T23:59:59.500Z"),
    ("array(1, NULL, 3)", "[1, null, 3]"),
    ("map('a', 1, 'b', NULL)", "{a=1, b=null}"),
    ("named_struct('x', 1, 'y', array('p', 'q'))", "+I[1, [p, q]]"),
    ("array(named_struct('x', NULL))", "[+I[null]]"),
]


@pytest.mark.spark
def test_values_are_written_as_flink_writes_them(spark: SparkSession) -> None:
    columns = ", ".join(
        f"CAST(penstock_print_encode(named_struct('v', {sql}), '{{}}') AS STRING)"
        for sql, _ in TEXTS
    )
    (row,) = spark.sql(f"SELECT {columns}").collect()
    assert list(row) == [f"[{text}]" for _, text in TEXTS]


SCRIPT = """
CREATE TABLE made (n INT, s STRING) WITH (
  'connector' = 'datagen', 'fields.n.kind' = 'sequence', 'fields.n.start' = '1',
  'fields.n.end' = '3', 'fields.s.length' = '1'
);
CREATE TABLE shown (n INT, s STRING) WITH ('connector' = 'print'{options});
INSERT INTO shown SELECT n, CAST(NULL AS STRING) FROM made;
"""


@pytest.mark.spark
@pytest.mark.parametrize(
    ("options", "prefix", "error"),
    [
        ("", "", False),
        (", 'print-identifier' = 'me', 'sink.parallelism' = '4'", "me> ", False),
        (", 'standard-error' = 'true'", "", True),
    ],
)
def test_lines_go_where_they_are_sent(
    spark: SparkSession,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: str,
    prefix: str,
    error: bool,
) -> None:
    job = Session(spark, state_dir=tmp_path).execute(SCRIPT.format(options=options))
    assert job.wait(60)
    lines = "".join(f"{prefix}+I[{n}, null]\n" for n in (1, 2, 3))
    captured = capsys.readouterr()
    assert (captured.err, captured.out) == ((lines, "") if error else ("", lines))
    (progress,) = job.progress()
    assert (progress.rows_in, progress.rows_out) == (3, 3)


@pytest.mark.spark
def test_kinds_of_rows(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    kinds = spark.sql(
        "SELECT concat('[', id, ']') AS line, CAST(id AS TINYINT) AS __kind FROM range(0, 4, 1, 1)"
    )
    target = PrintTarget("", standard_error=False)
    PrintSink(target, Place(None)).write(kinds)  # type: ignore[arg-type]
    assert capsys.readouterr().out.split() == ["+I[0]", "-U[1]", "+U[2]", "-D[3]"]


UPDATING = """
CREATE TABLE made (k STRING) WITH (
  'connector' = 'datagen', 'rows-per-second' = '20', 'fields.k.length' = '1'
);
CREATE TABLE shown (k STRING, n BIGINT) WITH ('connector' = 'print');
INSERT INTO shown SELECT k, COUNT(*) FROM made GROUP BY k;
"""


@pytest.mark.spark
def test_updates_of_a_stream(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """20 rows of a drained stream, counted: one line per key, whose counts add up."""
    assert Session(spark, state_dir=tmp_path).execute(UPDATING, drain=True).wait(60)
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("+I[") for line in lines)
    assert sum(int(line.rstrip("]").rpartition(", ")[2]) for line in lines) == 20


@pytest.mark.spark
def test_a_black_hole_computes_every_row(spark: SparkSession, tmp_path: Path) -> None:
    session = Session(spark, state_dir=tmp_path)
    text = SCRIPT.replace("'print'{options}", "'blackhole', 'property-version' = '1'")
    assert session.execute(text).wait(60)
    failing = text.replace("CAST(NULL AS STRING)", "CAST(1 / (n - 2) AS STRING)")
    with pytest.raises(PenstockError) as caught:
        session.execute(failing).wait(60)
    assert caught.value.code == "BAD_VALUE"


@pytest.mark.parametrize("connector", ["print", "blackhole"])
def test_they_take_every_change_and_give_nothing(connector: str) -> None:
    text = SCRIPT.format(options="").replace("'print'", f"'{connector}'")
    (query,) = plan_script(parse(text), name="t").queries
    assert {ChangelogMode.APPEND, ChangelogMode.RETRACT} <= set(query.spec.accepts)
    with pytest.raises(PenstockError) as caught:
        plan_script(parse(text + "INSERT INTO shown SELECT * FROM shown;"), name="t")
    assert caught.value.code == "NOT_A_SOURCE"
