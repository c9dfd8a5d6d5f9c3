"""Rankings: the key of their rows, whether they tell old rows, and whether their number is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.errors import PlanError
from penstock.model.changelog import ChangelogMode
from penstock.plan.engine import require_runnable
from penstock.plan.explain import explain
from penstock.plan.infer import infer
from penstock.plan.nodes import Filter, Over, Rank, Sort
from penstock.plan.script import plan_script
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.plan.infer import Step
    from penstock.plan.nodes import Node
    from penstock.plan.query import Query

_KAFKA = """'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset'"""
_TABLES = f"""
CREATE TABLE t (k STRING, x INT, ts TIMESTAMP(3), at AS PROCTIME(), WATERMARK FOR ts AS ts) WITH (
  {_KAFKA}, 'format' = 'json');
CREATE TABLE u (k STRING, x INT, PRIMARY KEY (x) NOT ENFORCED) WITH (
  {_KAFKA}, 'format' = 'ogg-json', 'ogg-json.missing-before' = 'upsert');
CREATE TABLE s (k STRING, x BIGINT) WITH ('connector' = 'print');
"""
_TOP = """SELECT {columns} FROM (
  SELECT *, {function}() OVER (PARTITION BY {by} ORDER BY {order}) AS n FROM {table}
) WHERE n <= {last}"""


def _query(text: str) -> Query:
    script = parse(f"{_TABLES} INSERT INTO s {text};")
    return plan_script(script, name="test", settings=()).queries[0]


def _ranked(step: Step) -> Step:
    return step if isinstance(step.node, Rank | Sort) else _ranked(step.inputs[0])


def _top(**asked: object) -> str:
    known = {"columns": "k, x", "function": "ROW_NUMBER", "by": "k", "order": "x", "table": "t"}
    return _TOP.format_map({**known, "last": 3, **asked})


_UPSERT, _RETRACT, _APPEND = ChangelogMode.UPSERT, ChangelogMode.RETRACT, ChangelogMode.APPEND


@pytest.mark.parametrize(
    ("text", "mode", "key"),
    [
        (_top(), _RETRACT, ()),
        (_top(columns="k, n"), _UPSERT, ("`k`", "`__over0`")),
        (_top(last=1), _UPSERT, ("`k`",)),
        (_top(last=1, columns="k, n"), _UPSERT, ("`k`",)),
        (_top(last=1, order="ts DESC"), _UPSERT, ("`k`",)),
        (_top(last=1, order="at"), _APPEND, ("`k`",)),
        (_top(last=1, function="RANK"), _RETRACT, ()),
        (_top(columns="k, n", function="DENSE_RANK"), _RETRACT, ()),
        (_top(table="u"), _RETRACT, ()),
        (_top(table="u", by="x"), _UPSERT, ("`x`",)),
        ("SELECT k, x FROM t ORDER BY x LIMIT 3", _RETRACT, ()),
        ("SELECT k, x FROM u ORDER BY k LIMIT 3", _UPSERT, ("`c1`",)),
        ("SELECT k, x FROM u ORDER BY k LIMIT 1", _UPSERT, ()),
        ("SELECT k, x FROM t LIMIT 3", _APPEND, ()),
    ],
)
def test_mode_and_key(text: str, mode: ChangelogMode, key: tuple[str, ...]) -> None:
    step = _ranked(infer(_query(text).input))
    assert (step.mode, step.key) == (mode, key)


@pytest.mark.parametrize(
    ("text", "numbered"),
    [
        (_top(), False),
        (_top(columns="k, x + n"), True),
        (f"SELECT k, MAX(x) FROM ({_top(columns='*')}) GROUP BY k", False),
        (f"SELECT k, MAX(n) FROM ({_top(columns='*')}) GROUP BY k", True),
        (f"SELECT k, x FROM ({_top(columns='*')}) WHERE n <> 2", True),
        (f"SELECT k, x FROM ({_top(columns='*')}) ORDER BY n LIMIT 5", True),
        (f"SELECT k, x FROM ({_top(columns='*')}) UNION ALL SELECT k, x FROM t", False),
    ],
)
def test_the_number_is_asked_for_where_a_step_above_names_it(text: str, numbered: bool) -> None:
    found = infer(_query(text).input)
    while not isinstance(found.node, Rank):
        found = found.inputs[0]
    assert found.node.numbered is numbered


@pytest.mark.parametrize(
    ("condition", "first", "last", "filtered"),
    [
        ("n < 4", 1, 3, False),
        ("4 > n", 1, 3, False),
        ("(3) >= (n)", 1, 3, False),
        ("n = 1 AND x > 5", 1, 1, True),
        ("n BETWEEN 2 AND 3", 2, 3, False),
        ("n <= 5 AND n > 1 AND n <> 3", 2, 5, True),
        ("n <= 2 * (1 + 2) - 1", 1, 5, False),
        ("n <= CAST(3 AS BIGINT)", 1, 3, False),
        ("n IN (2, 1, 3)", 1, 3, False),
        ("n IN (1, 3)", 1, 3, True),
        ("n IN (2)", 2, 2, False),
    ],
)
def test_what_bounds_a_number(condition: str, first: int, last: int, filtered: bool) -> None:
    top = _top(columns="k, x", last=3).replace("n <= 3", condition)
    query = _query(top)
    require_runnable([query])
    [found] = [step.node for step in _all(query.input) if isinstance(step.node, Rank)]
    assert (found.first, found.last) == (first, last)
    assert any(isinstance(step.node, Filter) for step in _all(query.input)) is filtered


@pytest.mark.parametrize(
    ("condition", "filtered"),
    [
        ("n <= x", False),
        ("x >= n", False),
        ("n < x AND k <> 'b'", True),
        ("n <= x AND n > 1", True),
    ],
)
@pytest.mark.parametrize("table", ["t", "u", "(SELECT k, COUNT(*) AS x FROM t GROUP BY k)"])
def test_a_column_of_the_partition_bounds_a_number(
    table: str, condition: str, filtered: bool
) -> None:
    """Flink's variable rank end."""
    top = _top(columns="k, x", by="k, x", order="k DESC", table=table)
    query = _query(top.replace("n <= 3", condition))
    require_runnable([query])
    [found] = [step.node for step in _all(query.input) if isinstance(step.node, Rank)]
    assert found.last_by is not None
    assert found.last_by.sql == found.partition[1].sql
    assert any(isinstance(step.node, Filter) for step in _all(query.input)) is filtered


def test_a_number_that_a_column_equals_is_no_top() -> None:
    top = _top(columns="k, x", by="k, x", order="k").replace("n <= 3", "n = x")
    [found] = [step.node for step in _all(_query(top).input) if isinstance(step.node, Over)]
    assert [column for column, _ in found.functions] == ["__over0"]


def test_explain_names_what_bounds_a_number() -> None:
    top = _top(columns="k, x", by="k, x + 1", order="k DESC")
    named = top.replace("SELECT *", "SELECT *, x + 1 AS m").replace("n <= 3", "n <= m")
    shown = explain(plan_script(parse(f"{_TABLES} INSERT INTO s {named};"), name="test"))
    assert "first CAST((`x` + 1) AS INT) per `k`, CAST((`x` + 1) AS INT)" in shown
    assert "state: CAST((`x` + 1) AS INT) rows per partition" in shown


def test_a_column_of_the_other_side_bounds_none() -> None:
    """Though both sides of the join call it by one name."""
    numbered = "(SELECT x, k, ROW_NUMBER() OVER (PARTITION BY x ORDER BY k DESC) AS n FROM t) AS r"
    with pytest.raises(PlanError, match="ASCENDING mode"):
        _query(
            f"SELECT r.k, r.x FROM {numbered} JOIN (SELECT x, k FROM t) AS o ON r.k = o.k "
            "WHERE r.n <= o.x"
        )


@pytest.mark.parametrize("condition", ["n <> 1", "n + 1 <= 3", "n > 1", "n = 1 OR n = 3", "n <= x"])
def test_what_bounds_none(condition: str) -> None:
    with pytest.raises(PlanError, match="Rank end is not specified"):
        _query(_top(columns="k, x", order="x DESC").replace("n <= 3", condition))


_NUMBERED = "(SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY x) AS n FROM t) AS r"


@pytest.mark.parametrize(
    "joined",
    [
        f"u JOIN {_NUMBERED} ON u.k = r.k WHERE n <= 3",
        f"{_NUMBERED} LEFT JOIN u ON u.k = r.k WHERE r.n <= 3 AND r.x > 1",
        f"u JOIN {_NUMBERED} ON u.k = r.k AND n <= 3",
        f"u LEFT JOIN {_NUMBERED} ON u.k = r.k AND r.n <= 3",
        f"u LEFT JOIN {_NUMBERED} ON u.k = r.k AND r.n <= 3 JOIN u AS v ON v.k = u.k",
        f"u JOIN {_NUMBERED} ON u.k = r.k JOIN u AS v ON v.k = u.k WHERE r.n <= 3",
    ],
)
def test_a_number_is_bounded_beside_a_join(joined: str) -> None:
    query = _query(f"SELECT u.k, r.x FROM {joined}")
    require_runnable([query])
    assert any(isinstance(step.node, Rank) and step.node.last == 3 for step in _all(query.input))


def _all(node: Node) -> Iterator[Step]:
    pending = [infer(node)]
    while pending:
        step = pending.pop()
        pending += step.inputs
        yield step


def test_a_ranking_within_windows_gives_inserts_only() -> None:
    text = """SELECT k, n FROM (
      SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY n) AS r FROM (
        SELECT k, window_start, window_end, COUNT(*) AS n
        FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
        GROUP BY k, window_start, window_end)
    ) WHERE r <= 3"""
    query = _query(text)
    require_runnable([query])
    assert query.mode is ChangelogMode.APPEND
