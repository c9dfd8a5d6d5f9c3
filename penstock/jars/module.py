"""Where Penstock's own Java classes are: one small jar inside the package, built from `jvm/`."""

from __future__ import annotations

from pathlib import Path

from penstock.errors import SetupError

_JAR = Path(__file__).with_name("penstock-jvm.jar")


def module_jar() -> Path:
    """The jar to put on Spark's class path; a `SetupError` in a clone that was never set up."""
    if not _JAR.is_file():
        raise SetupError("JVM_MODULE_MISSING", path=_JAR)
    return _JAR
