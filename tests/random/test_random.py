"""Random queries over random changes: the table that a stream writes is the result of a batch.

pytest tests/random --seed 17               one round again
pytest tests/random --seed 17 --rounds 100  this one and the 99 after it
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.random.rounds import random_round

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

_QUICK = 50
_ALL = 2000


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """The first rounds always, all others in the slow ring; or those that were asked for."""
    first = metafunc.config.getoption("--seed")
    if first is not None:
        metafunc.parametrize("seed", range(first, first + metafunc.config.getoption("--rounds")))
        return
    others = range(_QUICK, _QUICK + _ALL)
    slow = (pytest.param(seed, marks=pytest.mark.slow) for seed in others)
    metafunc.parametrize("seed", [*range(_QUICK), *slow])


def test_a_stream_gives_the_table_of_a_batch(
    seed: int, spark: SparkSession, tmp_path: Path
) -> None:
    from tests.random.check import check_round

    check_round(random_round(seed), spark, tmp_path)
    # Thousands of checkpoints would stay.
    shutil.rmtree(tmp_path)
