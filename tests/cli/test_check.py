"""What scripts say beside queries: stdin, dialects, notes, answers, all mistakes."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from typer.testing import CliRunner

from penstock.cli.main import app
from penstock.cli.render import Script, render_error
from penstock.errors import SqlError
from penstock.model.span import Span

if TYPE_CHECKING:
    from pathlib import Path

TABLE = """CREATE TABLE t (id BIGINT, name STRING) WITH ('connector' = 'kafka', 'topic' = 't',
  'properties.bootstrap.servers' = 'x:1', 'properties.group.id' = 'g', 'format' = 'json');
"""


def test_a_script_from_stdin() -> None:
    command = [sys.executable, "-m", "penstock", "check", "-"]
    fine = subprocess.run(command, input=TABLE, capture_output=True, text=True)
    assert (fine.returncode, fine.stdout) == (0, "stdin: fine (1 table, 0 queries)\n")
    wrong = subprocess.run(command, input="SELECT a,", capture_output=True, text=True)
    assert wrong.returncode == 2
    assert "error[SYNTAX_ERROR] stdin:1:9" in wrong.stderr
    assert "SELECT a,\n" in wrong.stderr


def test_an_embedded_broker_is_planned_for_before_it_has_an_address(tmp_path: Path) -> None:
    script = tmp_path / "job.sql"
    script.write_text(TABLE)
    found = CliRunner().invoke(app, ["run", str(script), "--embedded"])
    assert "error[NOTHING_TO_RUN]" in found.stderr


def test_the_flag_decides_the_dialect(tmp_path: Path) -> None:
    script = tmp_path / "job.sql"
    script.write_text("create table t (a INT) with ('type' = 'x');\n")
    as_blink = CliRunner().invoke(app, ["check", str(script), "--dialect", "blink"])
    assert "error[UNKNOWN_CONNECTOR]" in as_blink.stderr
    unknown = CliRunner().invoke(app, ["check", str(script), "--dialect", "mysql"])
    assert "error[UNKNOWN_DIALECT]" in unknown.stderr
    assert "Dialects: blink, clickhouse, dli, flink" in unknown.stderr


def test_what_has_no_effect_is_noted(tmp_path: Path) -> None:
    script = tmp_path / "job.sql"
    script.write_text(TABLE + "INSERT INTO t SELECT /*+ BROADCAST(t) */ * FROM t;\nADD JAR 'x';\n")
    result = CliRunner().invoke(app, ["check", str(script)])
    assert result.exit_code == 0
    assert "note: 3:26: the hint BROADCAST has no effect here\n" in result.stderr
    assert "note: 4:1: ADD JAR has no effect here\n" in result.stderr


def test_run_prints_answers_and_check_does_not(tmp_path: Path) -> None:
    script = tmp_path / "job.sql"
    script.write_text(TABLE + "SHOW TABLES; DESCRIBE t;")
    shown = CliRunner().invoke(app, ["run", str(script)])
    assert shown.exit_code == 0
    assert shown.stdout.splitlines()[:5] == [
        "+------------+",
        "| table name |",
        "+------------+",
        "| t          |",
        "+------------+",
    ]
    assert "| id   | BIGINT | TRUE |" in shown.stdout
    checked = CliRunner().invoke(app, ["check", str(script)])
    assert checked.stdout == "job.sql: fine (1 table, 0 queries)\n"


def test_every_mistake_is_shown_in_order(tmp_path: Path) -> None:
    script = tmp_path / "job.sql"
    script.write_text(
        "CREATE TABLE a (x INT) WITH ('connector' = 'no');\nINSERT INTO a SELECT x FROM a;\n"
        "SELECT 1 +;\nSET 'nosuch.key' = '1';\n"
    )
    result = CliRunner().invoke(app, ["check", str(script)])
    heads = [line for line in result.stderr.splitlines() if line.startswith("error[")]
    assert heads == [
        "error[UNKNOWN_CONNECTOR] job.sql:1:30",
        "error[SYNTAX_ERROR] job.sql:3:10",
        "error[UNKNOWN_SETTING] job.sql:4:1",
    ]


def _excerpt(line: str, column: int, length: int) -> list[str]:
    span = Span(1, column, length)
    error = SqlError("SYNTAX_ERROR", span=span, problem="Wrong.", dialect_note="")
    return render_error(error, Script("x", line)).splitlines()[2:4]


def test_the_mark_covers_the_whole_expression(tmp_path: Path) -> None:
    script = tmp_path / "job.sql"
    script.write_text(TABLE + "INSERT INTO t SELECT id, UPPER(LOWER(id)) || 'x' FROM t;\n")
    result = CliRunner().invoke(app, ["check", str(script)])
    assert "error[WRONG_ARGUMENTS] job.sql:3:32" in result.stderr
    assert "      | " + " " * 31 + "^^^^^^^^^\n" in result.stderr


def test_a_bracket_that_the_mark_opens_is_closed() -> None:
    assert _excerpt("SELECT (f((a)) ) FROM t", 9, 5)[1].count("^") == 6


def test_a_long_line_is_clipped_around_the_mark() -> None:
    line = "a" * 300 + "HERE" + "b" * 300
    shown, marks = _excerpt(line, 301, 4)
    assert len(shown) < 130
    assert shown[marks.index("^") :][:4] == "HERE"
    assert shown.startswith("    1 | …") and shown.endswith("…")


def test_a_query_that_nothing_can_run_is_no_fine_one(tmp_path: Path) -> None:
    script = tmp_path / "job.sql"
    script.write_text(
        TABLE.replace("name STRING)", "at AS PROCTIME())")
        + "CREATE TABLE o (id BIGINT) WITH ('connector' = 'print');\n"
        + "INSERT INTO o SELECT id\n"
        + "FROM TABLE(SESSION(TABLE t, DESCRIPTOR(at), INTERVAL '1' SECOND));"
    )
    found = CliRunner().invoke(app, ["check", str(script)])
    assert found.exit_code == 2
    assert "error[NEEDS_CHANGELOG_ENGINE]" in found.stderr
