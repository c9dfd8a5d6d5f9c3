"""What of ClickHouse's queries cannot be followed exactly is refused, with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.plan.warehouse import Scripts

TABLE = """CREATE TABLE t (k String, n Int32, d Date, m Nullable(Int8), f Float64)
ENGINE = MergeTree ORDER BY n;"""
_REFUSED = {
    "SELECT f FROM t ORDER BY f WITH FILL": "WITH FILL of DOUBLE",
    "SELECT n FROM t ORDER BY n WITH FILL STEP -1": "above 0 where the order is ascending",
    "SELECT n FROM t ORDER BY n DESC WITH FILL STEP 1": "below 0 where it is descending",
    "SELECT n FROM t ORDER BY n WITH FILL STEP 0": "STEP",
    "SELECT n FROM t ORDER BY n WITH FILL STEP 0.5": "STEP of a whole number",
    "SELECT n, k FROM t ORDER BY n WITH FILL INTERPOLATE (k)": "INTERPOLATE",
    "SELECT n, d FROM t ORDER BY n WITH FILL, d WITH FILL": "WITH FILL of several columns",
    "SELECT DISTINCT n FROM t ORDER BY n WITH FILL": "beside DISTINCT",
    "SELECT n FROM t ORDER BY n WITH FILL STEP INTERVAL 1 DAY": "by DAY",
    "SELECT d FROM t ORDER BY d WITH FILL STEP INTERVAL 1 HOUR": "by HOUR",
    "SELECT k FROM t ORDER BY m, n WITH FILL": "behind a Nullable column",
    "SELECT a.n FROM t AS a ASOF JOIN t AS b ON a.n >= b.n": "without an equality",
    "SELECT a.n FROM t AS a ASOF JOIN t AS b ON a.n = b.n": "one inequality of two columns, not 0",
    "SELECT a.n FROM t AS a ASOF JOIN t AS b ON a.n = b.n AND a.k > b.k": "by numbers, dates",
    "SELECT a.n FROM t AS a ASOF JOIN t AS b ON a.n = b.n AND a.n > 3": "a column of each table",
    "SELECT a.n FROM t AS a ASOF RIGHT JOIN t AS b USING (k, n)": "RIGHT ASOF JOIN",
    "SELECT n FROM t SAMPLE 0.1": "SAMPLE",
}


@pytest.mark.parametrize(("query", "reason"), _REFUSED.items(), ids=list(_REFUSED))
def test_refused(query: str, reason: str, scripts: Scripts) -> None:
    assert reason in scripts.refused(f"{TABLE}{query};")


@pytest.mark.parametrize(
    "condition",
    [
        "n = CAST(5 AS UInt8)",
        "n > 5::UInt64",
        "n > CAST(k AS UInt64)",
        "n IN (CAST(1 AS UInt16), 2)",
        "n BETWEEN 1::UInt64 AND CAST(3 AS UInt32)",
        "row_number() OVER (PARTITION BY k ORDER BY n) <= CAST(3 AS UInt8)",
    ],
)
def test_casts_in_conditions(condition: str, scripts: Scripts) -> None:
    clause = "QUALIFY" if "OVER" in condition else "WHERE"
    assert scripts.plan(f"{TABLE}SELECT k FROM t {clause} {condition};").queries
