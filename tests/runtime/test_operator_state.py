"""What each operator keeps, under the name that `explain` gives it: by Spark's own reports."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from penstock.cli.status import status_text
from penstock.plan.explain_graph import explain_json
from penstock.plan.script import plan_script
from penstock.runtime.operator_state import OperatorState, operator_states
from penstock.sql.parse import parse
from tests.upsert_kafka.upserts import Upserts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus

KEYED = "id INT, k STRING, n INT, PRIMARY KEY (id) NOT ENFORCED"
PLAIN = "id INT, k STRING, n INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts"
RESULT = "k STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED"
QUERIES = {
    # The steps of each query from the sink down, with the entries that each must have.
    "joined": (
        "SELECT b.k, COUNT(*) FROM a JOIN b ON a.n = b.id GROUP BY b.k",
        {"Aggregate by `k`": 2, "Inner join on a.n = b.id": 8,
         "Normalize upserts to changes of a": 5},
    ),
    "other": (
        "SELECT k, CAST(id AS BIGINT) FROM b",
        {"Sink other by k": 8, "Normalize upserts to changes of b": 3},
    ),
    "best": (
        "SELECT k, CAST(n AS BIGINT) FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY n "
        "DESC) AS place FROM c) WHERE place = 1",
        {"TopN first 1 per `k`": 3},
    ),
    "windowed": (
        "SELECT k, COUNT(*) FROM TABLE(TUMBLE(TABLE c, DESCRIPTOR(ts), INTERVAL '1' HOUR)) "
        "GROUP BY k, window_start, window_end",
        {"WindowAggregate by window, `k`": 3},
    ),
    "grouped": ("SELECT k, COUNT(*) FROM c GROUP BY k", {"Aggregate by `k`": 3}),
    "paired": (
        "SELECT x.k, COUNT(*) FROM c AS x JOIN c AS y ON x.id = y.id GROUP BY x.k",
        {"Aggregate by `k`": 3, "Inner join on x.id = y.id": 8},
    ),
}  # fmt: skip


@pytest.mark.kafka
def test_each_operator_has_its_rows(
    spark: SparkSession, broker: BrokerStatus, topic: Callable[..., str], tmp_path: Path
) -> None:
    upserts = Upserts(spark, broker.address, tmp_path)
    a, b, c = (topic(name) for name in "abc")
    for name in (a, b):
        upserts.create(name[0], KEYED, name)
    start = {"scan__startup__mode": "earliest-offset", "format": "json"}
    upserts.create("c", PLAIN, c, connector="kafka", **start)
    upserts.send(a, [_keyed(id=n, k="x", n=n % 2) for n in range(5)])
    upserts.send(b, [_keyed(id=n, k="yz"[n % 2], n=0) for n in range(3)])
    rows = [{"id": n, "k": "uvwu"[n], "n": n, "ts": "2026-01-02 03:04:05"} for n in range(4)]
    upserts.send(c, rows)
    for name in QUERIES:
        upserts.create(name, RESULT, topic(name))
    script = "".join(f"INSERT INTO {name} {query};" for name, (query, _) in QUERIES.items())
    upserts.run(script, name="job")
    found = _operators(tmp_path)
    for name, (_, expected) in QUERIES.items():
        assert {one["operator"]: one["rows"] for one in found[name]} == expected, name
        assert all(one["memory_bytes"] > 0 for one in found[name])
    # `explain --json` has the same names.
    plan = plan_script(parse(upserts.script + script), name="job")
    for query in json.loads(explain_json(plan))["queries"]:
        named = [query["sink"].get("operator"), *_named(query["plan"])]
        assert [name for name in named if name] == [o["operator"] for o in found[query["id"]]]
    # A run without a batch has nothing new to say: what was known stays. One with a watermark has
    # an empty batch, and may need less memory then.
    upserts.run(script, name="job")
    again = _operators(tmp_path)
    assert [one["rows"] for one in again.pop("windowed")] == [
        one["rows"] for one in found.pop("windowed")
    ]
    assert again == found


def _named(step: dict[str, Any]) -> list[str]:
    below = [name for child in step["inputs"] for name in _named(child)]
    return [step["operator"], *below] if "operator" in step else below


def _keyed(**row: Any) -> dict[str, Any]:
    return {"key": {"id": row["id"]}, "value": row}


def _operators(state_dir: Path) -> dict[str, Any]:
    status = json.loads(status_text("job", state_dir, as_json=True))
    return {query["query"]: query["operators"] for query in status["queries"]}


def test_operators_that_the_plan_does_not_know_have_sparks_names() -> None:
    reports = [
        {"operatorName": "stateStoreSave", "numRowsTotal": 7, "memoryUsedBytes": 5},
        {"operatorName": "dedupe", "customMetrics": {"rocksdbSstFileSize": 4}},
    ]
    named = (OperatorState("one", 7, 0, 5), OperatorState("two", 0, 4, 0))
    assert operator_states(reports, ("one", "two")) == named
    unnamed = operator_states(reports, ("one",))
    assert [state.operator for state in unnamed] == ["stateStoreSave", "dedupe"]
