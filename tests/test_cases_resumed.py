"""Cases that are broken off and resumed, on the real broker.

The query is stopped hard at a random batch and that batch's commit is taken back, which is what a
crash between writing and committing leaves behind; then it is resumed.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.case_runs import BATCH_LIMIT_S, RUNNING, Run, canonical, check_folded, comparable
from tests.helpers import take_back, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus
    from tests.case_files import Case

pytestmark = pytest.mark.kafka

_ROWS_PER_BATCH = "2"


@pytest.mark.parametrize("case", RUNNING, ids=lambda case: case.id)
def test_broken_off_and_resumed(
    case: Case, spark: SparkSession, broker: BrokerStatus, tmp_path: Path
) -> None:
    run = Run(case, spark, broker.address, tmp_path)
    rows = max(len(lines) for lines in case.lines("in").values())
    batches = max(1, rows // int(_ROWS_PER_BATCH))
    target = random.randrange(1, batches + 1)
    job = run.start(drain=False, settings={"penstock.max-offsets-per-batch": _ROWS_PER_BATCH})
    wait_until(lambda: len(run.commits()) >= target or not job.is_active, timeout_s=BATCH_LIMIT_S)
    job.raise_failure()
    job.stop(grace_s=0)
    for commits in filter(None, run.all_commits()):
        take_back(commits[-1])
    assert run.start(drain=True).wait(BATCH_LIMIT_S)
    if "folded" in case.directives:
        check_folded(run)
        return
    for topic, expected in case.lines("out").items():
        found = Counter(comparable(run.output(topic), expected))
        wanted = Counter(canonical(line) for line in expected)
        assert not wanted - found, f"lost after breaking off at batch {target}"
        assert not set(found) - set(wanted), f"unexpected after breaking off at batch {target}"
