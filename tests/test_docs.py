"""The documentation is true: generated parts are fresh, every block of code runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from docs import generate
from penstock.catalog.catalog import Overrides
from penstock.plan.script import plan_script
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.kafka.broker import BrokerStatus

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_SHOWN = re.compile(r"^```bash\n(.*?)^```(?:\n\n```text\n(.*?)^```)?", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
_VARIABLE = re.compile(r"\$\{env:(\w+)\}")
# Set-up is what the test run itself has done; the demo has its own test.
_SET_UP = re.compile(r"^(make|source|pip|git|cd) .*$", re.MULTILINE)


def _blocks(page: Path, language: str) -> list[str]:
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [text for kind, text in found if kind == language]


def _commands(page: Path) -> list[tuple[str, list[str]]]:
    """Each block of commands, and the lines that stand right behind it as what it shows."""
    found = _SHOWN.findall(page.read_text(encoding="utf-8"))
    return [(commands, shown.splitlines()) for commands, shown in found]


def _with(language: str) -> list[Path]:
    return [page for page in PAGES if _blocks(page, language)]


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", generate.pages(), ids=_name)
def test_generated_parts_are_fresh(page: Path) -> None:
    assert page.read_text(encoding="utf-8") == generate.rendered(page), "run `make docs`"


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in _LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link


@pytest.mark.parametrize("page", _with("sql"), ids=_name)
def test_sql_is_understood(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    credentials = tmp_path / "credentials.ini"
    credentials.touch(mode=0o600)
    credentials.write_text("".join(_blocks(page, "ini")))
    for variable in _VARIABLE.findall(credentials.read_text()):
        monkeypatch.setenv(variable, "set")
    overrides = Overrides(credentials_file=str(credentials))
    for script in _blocks(page, "sql"):
        plan_script(parse(script), name="docs", overrides=overrides)


@pytest.fixture
def workplace(broker: BrokerStatus, tmp_path: Path) -> Iterator[dict[str, str]]:
    """An environment in which the commands of a page meet the broker of this run."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    yield {**os.environ, "PATH": path, "PENSTOCK_BROKER_DIR": str(broker.directory)}


@pytest.mark.kafka
@pytest.mark.parametrize("page", _with("bash"), ids=_name)
def test_commands_run(page: Path, workplace: dict[str, str], tmp_path: Path) -> None:
    names = re.findall(r"`(\w+\.sql)`, as you", page.read_text(encoding="utf-8"))
    for name, script in zip(names, _blocks(page, "sql"), strict=False):
        (tmp_path / name).write_text(script)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for block, shown in _commands(page):
        commands = _SET_UP.sub("", block)
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", commands],
            cwd=tmp_path,
            env=workplace,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{commands}\n{done.stdout}\n{done.stderr}"
        assert set(shown) <= set(done.stdout.splitlines()), done.stdout


@pytest.mark.kafka
def test_python_runs_on_a_session_of_the_users_own(broker: BrokerStatus, tmp_path: Path) -> None:
    page = ROOT / "docs" / "guides" / "python.md"
    lines, results = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines.write_text('{"order_id": "a1", "amount": 60, "area": "north"}\n')
    script = _blocks(ROOT / "docs" / "guides" / "quick-start.md", "sql")[0]
    files = {"orders": str(lines), "large_orders": str(results)}
    (code,) = _blocks(page, "python")
    code = code.replace("bootstrap=address", f"bootstrap=address, bindings={files}")
    program = f"address = {broker.address!r}\nscript = {script!r}\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "1\n"), done.stderr
    assert results.read_text() == '{"order_id":"a1","label":"NORTH-a1","amount":60.0}\n'
