"""Where pyspark keeps its jars, found without importing it (an import costs half a second)."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from penstock.errors import SetupError


def pyspark_jar(pattern: str) -> Path:
    """The one jar of pyspark whose name matches, for instance `ivy-*.jar`."""
    spec = importlib.util.find_spec("pyspark")
    if spec is not None and spec.origin is not None:
        for jar in Path(spec.origin).parent.glob(f"jars/{pattern}"):
            return jar
    raise SetupError("PYSPARK_MISSING", python=sys.executable)
