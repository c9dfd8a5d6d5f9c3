"""The pins of `ivy.xml`."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from penstock.jars.artifacts import CONFIGURATIONS, IVY_FILE, read_artifacts


def test_the_pins_fit_the_pyspark_of_the_package() -> None:
    root = Path(__file__).parents[2]
    pins = {one.name: one.revision for one in read_artifacts(IVY_FILE, "spark")}
    for file in ("pyproject.toml", "requirements/lock.txt"):
        versions = set(re.findall(r"pyspark==([\d.]+)", (root / file).read_text()))
        assert versions == {pins["spark-sql-kafka-0-10_2.13"]}, file


def test_spark_pins_are_not_among_pysparks_own_jars() -> None:
    spec = importlib.util.find_spec("pyspark")
    assert spec is not None
    assert spec.origin is not None
    own = [jar.name for jar in Path(spec.origin).parent.glob("jars/*.jar")]
    for artifact in (*read_artifacts(IVY_FILE, "spark"), *read_artifacts(IVY_FILE, "delta")):
        assert not [jar for jar in own if re.match(rf"{re.escape(artifact.name)}-\d", jar)]


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_every_pin_is_alone_and_without_its_dependencies(configuration: str) -> None:
    artifacts = read_artifacts(IVY_FILE, configuration)
    assert len({one.name for one in artifacts}) == len(artifacts)
    text = IVY_FILE.read_text()
    assert text.count("<dependency ") == text.count('transitive="false"')
