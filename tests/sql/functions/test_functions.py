"""Flink's functions, operators and casts on Spark, and what is refused before Spark sees it."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from penstock.errors import PenstockError
from penstock.model.expression import Expr
from penstock.model.types import INT, DataType
from penstock.sql.functions import AGGREGATE, FORMS, SCALAR, TOPICS
from penstock.sql.functions.regex import group_certainty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

_EXPRESSIONS = runpy.run_path(str(Path(__file__).with_name("expressions.py")))
