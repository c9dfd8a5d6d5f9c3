"""Cases that run straight through: rows in, rows out, on the real broker."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.case_runs import BATCH_LIMIT_S, RUNNING, Run, canonical, check_folded, comparable

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus
    from tests.case_files import Case

pytestmark = pytest.mark.kafka


@pytest.mark.parametrize("case", RUNNING, ids=lambda case: case.id)
def test_straight_through(
    case: Case, spark: SparkSession, broker: BrokerStatus, tmp_path: Path
) -> None:
    run = Run(case, spark, broker.address, tmp_path)
    assert run.start(drain=True).wait(BATCH_LIMIT_S)
    if "folded" in case.directives:
        check_folded(run)
        return
    for topic, expected in case.lines("out").items():
        found = comparable(run.output(topic), expected)
        wanted = [canonical(line) for line in expected]
        if "ordered" in case.directives:
            assert found == wanted
        else:
            assert Counter(found) == Counter(wanted)
