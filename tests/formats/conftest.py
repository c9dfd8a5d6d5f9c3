"""Lends the session of `tests/spark` to the cases of the formats."""

from __future__ import annotations

import runpy
from pathlib import Path

spark = runpy.run_path(str(Path(__file__).parents[1] / "spark" / "conftest.py"))["spark"]
