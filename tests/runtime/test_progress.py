"""Spark's reports of batches, added up."""

from __future__ import annotations

from typing import Any

from penstock.runtime.progress import ProgressMeter


def report(batch: int, rows: int, out: int, *, end: int = 0, latest: int = 0) -> dict[str, Any]:
    offsets = {"endOffset": {"t": {"0": end}}, "latestOffset": {"t": {"0": latest}}}
    return {
        "batchId": batch,
        "numInputRows": rows,
        "durationMs": {"addBatch": 5},
        "sink": {"numOutputRows": out},
        "sources": [offsets],
        "eventTime": {"watermark": "2024-01-01T00:00:00.000Z"} if batch else {},
        "stateOperators": [{"numRowsTotal": 7}],
    }


def test_rows_are_counted_once_per_batch() -> None:
    meter = ProgressMeter("q")
    first, second = report(0, 10, 4, end=10, latest=25), report(1, 15, 6, end=25, latest=25)
    assert meter.update([first]).lag == 15
    now = meter.update([first, second])
    assert (now.rows_in, now.rows_out, now.batches, now.lag) == (25, 10, 2, 0)
    assert (now.watermark, now.state_rows) == ("2024-01-01T00:00:00.000Z", 7)
    assert now.rows_in_per_s > 0


def test_a_report_of_waiting_counts_as_no_batch() -> None:
    meter = ProgressMeter("q")
    waiting = {**report(1, 0, -1, end=10, latest=12), "durationMs": {"latestOffset": 3}}
    first, second = report(0, 10, 4, end=10, latest=10), report(1, 2, 1, end=12, latest=12)
    now = meter.update([first, waiting])
    assert (now.rows_in, now.rows_out, now.batches, now.lag) == (10, 4, 1, 2)
    now = meter.update([first, waiting, second])
    assert (now.rows_in, now.rows_out, now.batches, now.lag) == (12, 5, 2, 0)


def test_a_sink_that_does_not_count_says_so() -> None:
    assert ProgressMeter("q").update([report(0, 10, -1)]).rows_out is None


def test_a_source_without_offsets_has_no_lag() -> None:
    sources = [{"endOffset": '{"logOffset":1}', "latestOffset": None}]
    assert ProgressMeter("q").update([{**report(0, 1, 1), "sources": sources}]).lag is None
