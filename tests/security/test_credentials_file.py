"""The file of named credentials: where it is found, and what of it is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from penstock.catalog.credentials import default_file
from penstock.cli.main import app
from penstock.errors import OptionError, PenstockError
from tests.security.credentials import named, plan_of, properties_of, written

MISTAKES = {
    "no-section": ("password = hunter2\n", "x", "CREDENTIALS_FILE_INVALID", "in line 1"),
    "no-value": ("[x]\nhunter2\n", "x", "CREDENTIALS_FILE_INVALID", "in line 2"),
    "twice": ("[x]\na = 1\na = hunter2\n", "x", "CREDENTIALS_FILE_INVALID", "in line 3"),
    "unknown": ("[kafka]\n[other]\n", "kafak", "UNKNOWN_CREDENTIALS", "Did you mean 'kafka'?"),
    "key": ("[x]\nusrname = hunter2\n", "x", "INVALID_CREDENTIALS", "did you mean 'username'"),
    "mechanism": (
        "[x]\nusername = u\npassword = hunter2\n",
        "x",
        "INVALID_CREDENTIALS",
        "no 'sasl.mechanism' that takes one",
    ),
    "half": (
        "[x]\nsasl.mechanism = PLAIN\npassword = hunter2\n",
        "x",
        "INVALID_CREDENTIALS",
        "lack the key 'username'",
    ),
    "variable": (
        "[x]\nssl.key.password = ${env:NOT_SET_ANYWHERE}\n",
        "x",
        "INVALID_CREDENTIALS",
        "the environment variable NOT_SET_ANYWHERE",
    ),
    "other-file": (
        "[x]\nssl.key.password = ${file:nowhere}\n",
        "x",
        "INVALID_CREDENTIALS",
        "nowhere",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_has_a_place_and_no_value(tmp_path: Path, mistake: str) -> None:
    text, name, code, words = MISTAKES[mistake]
    file = written(tmp_path / "credentials.ini", text)
    error = refused(named(name), file)
    assert (error.code, error.span is not None) == (code, True)
    assert words in str(error)
    assert "hunter2" not in str(error)
    assert error.__cause__ is None and error.__suppress_context__ is (error.__context__ is not None)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o777])
def test_a_file_that_others_may_read_is_refused(file: Path, mode: int) -> None:
    file.chmod(mode)
    error = refused(named("tls"), file)
    assert error.code == "CREDENTIALS_FILE_EXPOSED"
    assert f"chmod 600 {file}" in error.advice
    file.chmod(0o400)
    assert properties_of(plan_of(named("tls"), file))


def test_a_file_is_needed_only_where_credentials_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENSTOCK_CREDENTIALS", str(tmp_path / "nowhere.ini"))
    assert properties_of(plan_of("", None)) == {}
    error = refused(named("tls"), None)
    assert error.code == "CREDENTIALS_FILE_MISSING"
    assert "nowhere.ini" in error.text
    assert "--credentials" in error.advice


def test_the_command_line_names_the_file(file: Path, tmp_path: Path) -> None:
    script = tmp_path / "job.sql"
    script.write_text(
        "CREATE TABLE t (n INT) WITH ('connector' = 'kafka', 'topic' = 't', 'format' = 'json',\n"
        "  'properties.bootstrap.servers' = 'x:1', 'penstock.credentials' = 'tls');\n"
        "CREATE TABLE p (n INT) WITH ('connector' = 'print');\n"
        "INSERT INTO t SELECT 1;\n"
    )
    told = ["--credentials", str(file)]
    fine = CliRunner().invoke(app, ["explain", str(script), *told])
    assert "credentials 'tls'" in fine.stdout
    assert "hunter2" not in fine.output
    file.write_text("[other]\nssl.key.password = hunter2\n")
    wrong = CliRunner().invoke(app, ["check", str(script), *told])
    assert wrong.exit_code == 2
    assert "error[UNKNOWN_CREDENTIALS] job.sql:2:" in wrong.stderr
    assert "It has: other." in wrong.stderr
    assert "hunter2" not in wrong.output


def test_where_the_file_is_looked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PENSTOCK_CREDENTIALS", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert default_file() == Path.home() / ".config" / "penstock" / "credentials.ini"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert default_file() == tmp_path / "penstock" / "credentials.ini"
    monkeypatch.setenv("PENSTOCK_CREDENTIALS", "~/mine.ini")
    assert default_file() == Path.home() / "mine.ini"


def refused(options: str, file: Path | None) -> OptionError:
    with pytest.raises(PenstockError) as caught:
        plan_of(options, file)
    assert isinstance(caught.value, OptionError)
    return caught.value
