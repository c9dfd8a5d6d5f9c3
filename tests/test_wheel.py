"""What `pip install .` installs: the jar list, the built Java module, the demo's script."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NEEDED = {
    "penstock/examples/demo.sql",
    "penstock/jars/ivy.xml",
    "penstock/jars/penstock-jvm.jar",
    "penstock/py.typed",
    "penstock/spark/log4j2.properties",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    subprocess.run(
        [*command, "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT)], check=True
    )
    (built,) = folder.glob("penstock-*.whl")
    return built


@pytest.mark.spark
def test_everything_needed_is_inside_once(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert set(names) >= NEEDED
    assert len(names) == len(set(names))
    assert not [name for name in names if name.startswith(("tests", "jvm", "benchmarks", "docs"))]


@pytest.mark.spark
def test_the_installed_package_works_away_from_the_repository(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    code = """
from penstock.cli.demo import demo_script
from penstock.jars.module import module_jar
print(demo_script().read_text()[:2], module_jar().parent.parent.parent)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["--", str(tmp_path / "site")]
