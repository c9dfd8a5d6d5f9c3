"""`penstock check` and `penstock explain`: no JVM, no broker; answers, errors, exit codes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from penstock.cli.main import app

EXAMPLES = Path(__file__).parents[2] / "examples"

TABLE = """CREATE TABLE t (id BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = '${topic}',
  'properties.bootstrap.servers' = 'localhost:9092',
  'properties.sasl.jaas.config' = 'PlainLoginModule required password="hunter2";',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
"""


def penstock(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_check_says_what_it_found() -> None:
    result = penstock("check", EXAMPLES / "demo.sql")
    assert (result.exit_code, result.stdout) == (0, "demo.sql: fine (2 tables, 1 query)\n")


def test_check_names_settings_without_effect(tmp_path: Path) -> None:
    script = tmp_path / "job.sql"
    script.write_text("SET 'table.exec.mini-batch.enabled' = 'true';\n" + TABLE)
    result = penstock("check", script, "--var", "topic=x")
    assert "the setting 'table.exec.mini-batch.enabled' has no effect here\n" in result.stderr


def test_an_error_shows_the_line_and_hides_passwords(tmp_path: Path) -> None:
    script = tmp_path / "job.sql"
    script.write_text(TABLE.replace("'properties.sasl", "'propertis.sasl"))
    result = penstock("check", script, "--var", "topic=x")
    assert result.exit_code == 2
    assert "error[UNKNOWN_OPTION] job.sql:5:3" in result.stderr
    assert "'propertis.sasl.jaas.config' = '***'" in result.stderr
    assert "hunter2" not in result.stderr
    assert "Supported options: connector, format," in result.stderr


def test_an_error_of_a_file_of_statements_names_the_file(tmp_path: Path) -> None:
    script = tmp_path / "main.sql"
    script.write_text("CREATE TABLE t (a Int8)\nENGINE = Kafkaa('h');")
    result = penstock("sql", "--warehouse", tmp_path / "w", "-f", script)
    assert result.exit_code == 2
    assert "error[UNKNOWN_ENGINE] main.sql:2:10" in result.stderr


def test_explain_hides_passwords(tmp_path: Path) -> None:
    script = tmp_path / "job.sql"
    script.write_text(TABLE + "INSERT INTO t SELECT id FROM t;")
    result = penstock("explain", script, "--var", "topic=x")
    assert result.exit_code == 0
    assert "sasl.jaas.config=***" in result.stdout
    assert "hunter2" not in result.stdout


def test_explain_tells_how_a_window_runs() -> None:
    result = penstock("explain", EXAMPLES / "demo.sql")
    assert "Window TUMBLE [append] size 5 s" in result.stdout
    assert "until the watermark passes the window's end" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "error[UNDEFINED_VARIABLE] job.sql:3:14"),
        (("--var", "topic"), "`--var topic` is not valid"),
        (("--var", "topic=x", "--bind", "u=f"), "error[UNKNOWN_BINDING]"),
        (("--var", "topic=x", "--set", "a=b"), "error[UNKNOWN_SETTING]"),
        (("--var", "topic=x", "--set", "execution.runtime-mode=quick"), "error[INVALID_SETTING]"),
    ],
)
def test_wrong_arguments(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    script = tmp_path / "job.sql"
    script.write_text(TABLE)
    done = subprocess.run(
        [sys.executable, "-m", "penstock", "check", str(script), *arguments],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert said in done.stderr


def test_a_script_that_is_not_there(tmp_path: Path) -> None:
    result = penstock("check", tmp_path / "none.sql")
    assert result.exit_code == 2
    assert "No such file or directory" in result.stderr


def test_a_script_that_inserts_nothing_is_not_run(tmp_path: Path) -> None:
    script = tmp_path / "job.sql"
    script.write_text(TABLE)
    result = penstock("run", script, "--var", "topic=x")
    assert result.exit_code == 2
    assert "error[NOTHING_TO_RUN]" in result.stderr
