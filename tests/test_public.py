"""The public names, the errors' wording, and what must not be imported early."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import penstock
from penstock import errors
from penstock.messages import MESSAGES

ROOT = Path(__file__).parents[1]


def test_all_is_sorted_and_true() -> None:
    assert penstock.__all__ == sorted(penstock.__all__)
    for name in penstock.__all__:
        assert getattr(penstock, name) is not None


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Sesion'"):
        penstock.Sesion  # noqa: B018


@pytest.mark.parametrize("module", ["penstock.cli.main", "penstock"])
def test_start_up_imports_nothing_heavy(module: str) -> None:
    heavy = ("pyspark", "sqlglot", "confluent_kafka", "rich.live")
    code = f"import sys, {module}; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("code", sorted(MESSAGES))
def test_every_message_belongs_to_an_error_class_and_is_used(code: str) -> None:
    message = MESSAGES[code]
    assert issubclass(getattr(errors, message.family), errors.PenstockError)
    assert re.fullmatch(r"[A-Z][A-Z0-9_]+", code)
    files = [*(ROOT / "penstock").rglob("*.py"), ROOT / "jvm" / "build.py"]
    users = (path for path in files if path.parent.name != "messages")
    assert any(f'"{code}"' in path.read_text(encoding="utf-8") for path in users)


def test_every_code_that_is_raised_has_its_message() -> None:
    raised = re.compile(r'(\w+Error)\(\s*"([A-Z][A-Z0-9_]+)"')
    for path in (ROOT / "penstock").rglob("*.py"):
        for family, code in raised.findall(path.read_text(encoding="utf-8")):
            assert code in MESSAGES, f"{path.name} raises {code}"
            assert MESSAGES[code].family == family, f"{path.name} raises {code} as {family}"


def test_a_code_is_raised_by_its_own_class_only() -> None:
    with pytest.raises(AssertionError, match="belongs to OptionError"):
        errors.SqlError("UNKNOWN_OPTION", table="t", option="o", did_you_mean="", supported="")


def test_the_changelog_names_this_version() -> None:
    assert f"## {penstock.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
