"""Whether a round went well: after each batch the table written is the query's result."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from penstock.model.changelog import ChangelogMode
from tests.random.oracle import by_spark, by_sqlite
from tests.random.runner import run_round

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from tests.random.rounds import Round
    from tests.random.runner import Run
    from tests.random.sinks import Written
    from tests.random.tables import Row


def check_round(round_: Round, spark: SparkSession, folder: Path) -> None:
    """Run a round; a failure tells all that is needed to look into it."""
    try:
        run = run_round(round_, spark, folder)
        _check(run)
    except Exception as error:
        raise AssertionError(f"{error}\n\n{round_.told()}") from error


def _check(run: Run) -> None:
    round_ = run.round
    table: Counter[Row] = Counter()
    last = round_.batches - 1
    appends = run.query.mode is ChangelogMode.APPEND
    for place, (batch, messages) in enumerate(run.log):
        again = place > 0 and run.log[place - 1][0] == batch
        if again:
            before, after = _texts(run.log[place - 1][1]), _texts(messages)
            assert before == after, f"batch {batch} gave other rows the second time"
        if not again or round_.sink.key:
            round_.sink.fold(table, messages, appends=appends)
        done = last if round_.whole else batch
        expected = by_sqlite(round_.query, round_.tables, done)
        if expected is not None:
            problem = round_.sink.problem(table, expected)
            assert not problem, f"after batch {done}, by SQLite: {problem}"
    expected = by_spark(run.session, round_.query, round_.tables, last)
    problem = round_.sink.problem(table, expected)
    assert not problem, f"at the end, by Spark: {problem}"


def _texts(messages: list[Written]) -> Counter[tuple[str | None, str | None]]:
    return Counter((message.key, message.value) for message in messages)
