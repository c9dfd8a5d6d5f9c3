"""Imports go one way: the table of layers, and who may import which heavy library."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "penstock"

# folder → the folders it may import; `errors`, `messages`, `version` and `model` are for everyone
ALLOWED: dict[str, set[str]] = {
    "": {"cli", "runtime"},
    "catalog": {"connectors", "sql"},
    "cli": {"catalog", "jars", "kafka", "plan", "runtime", "spark", "sql"},
    "connectors": {"formats", "sql"},
    "formats": set(),
    "jars": set(),
    "kafka": {"jars"},
    "messages": set(),
    "model": set(),
    "plan": {"catalog", "connectors", "sql"},
    "runtime": {"catalog", "connectors", "jars", "kafka", "plan", "spark", "sql"},
    "spark": {"connectors", "jars", "plan"},
    "sql": set(),
}
FOR_EVERYONE = {"errors", "messages", "model", "version"}
OWNERS = {"confluent_kafka": {"kafka"}, "pyspark": {"spark"}, "py4j": {"spark"}}

MODULES = sorted(PACKAGE.rglob("*.py"))


def _folder(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def _imports(path: Path) -> list[str]:
    """Every module a file imports when it runs; what is only for type checkers does not count."""
    found: list[str] = []
    pending: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            pending.extend(node.orelse)
            continue
        if isinstance(node, ast.Import):
            found.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module)
            found.extend(f"{node.module}.{alias.name}" for alias in node.names)
        pending.extend(ast.iter_child_nodes(node))
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_only_what_its_layer_may(path: Path) -> None:
    folder = _folder(path)
    for module in _imports(path):
        first, *rest = module.split(".")
        assert folder in OWNERS.get(first, {folder}), f"{module} belongs to {OWNERS[first]}"
        if first == "penstock" and rest and (PACKAGE / rest[0]).is_dir():
            target = rest[0]
            assert target in {folder, *FOR_EVERYONE} or target in ALLOWED[folder], module


def test_java_is_asked_for_classes_by_their_full_names() -> None:
    """By `java_class` alone: name by name, Java looks through all of its jars each time."""
    asking = {path.stem for path in MODULES if "_jvm" in path.read_text(encoding="utf-8")}
    assert asking == {"java_class"}


def test_the_table_names_every_folder() -> None:
    folders = {_folder(path) for path in MODULES}
    assert folders == set(ALLOWED)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_module_says_what_it_is_and_stays_readable(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), "a module opens with a docstring"
    assert len(text.splitlines()) <= 400
