"""Counts of tables become rates over the last seconds."""

from __future__ import annotations

from penstock.runtime.traffic import TrafficMeter
from penstock.spark.counters import Counts


def test_rates_are_those_of_the_last_seconds() -> None:
    meter = TrafficMeter()
    meter.update({"t": Counts()}, now=0.0)
    [found] = meter.update({"t": Counts(rows_in=50, bytes_in=5000)}, now=5.0)
    assert (found.rows_in, found.rows_in_per_s, found.bytes_in_per_s) == (50, 10.0, 1000.0)
    [found] = meter.update({"t": Counts(rows_in=50, bytes_in=5000)}, now=16.0)
    assert (found.rows_in, found.rows_in_per_s) == (50, 0.0)


def test_tables_come_by_name() -> None:
    found = TrafficMeter().update({"b": Counts(rows_out=2), "a": Counts(rows_lost=1)}, now=1.0)
    assert [(t.table, t.rows_out, t.rows_lost) for t in found] == [("a", 0, 1), ("b", 2, 0)]
