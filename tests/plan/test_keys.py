"""Keys of windows and joins, what joins keep by them, and until when."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.model.changelog import ChangelogMode
from penstock.plan.explain import explain
from penstock.plan.infer import infer
from penstock.plan.keys import condition_of, is_single
from penstock.plan.nodes import Join, Normalize, Window, WindowAggregate
from penstock.plan.script import plan_script
from penstock.plan.state import kept
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.plan.infer import Step
    from penstock.plan.query import Query, ScriptPlan

_KAFKA = "'topic' = 't', 'properties.bootstrap.servers' = 'x:1'"
_READ = f"'connector' = 'kafka', {_KAFKA}, 'scan.startup.mode' = 'earliest-offset'"
_UPSERTS = f"'connector' = 'upsert-kafka', {_KAFKA}, 'key.format' = 'json', 'value.format' = 'json'"
_TABLES = f"""
CREATE TABLE events (k INT, x INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH (
  {_READ}, 'format' = 'json');
CREATE TABLE others (k INT, x INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH (
  {_READ}, 'format' = 'json');
CREATE TABLE items (
  k INT, x INT, ts TIMESTAMP(3), PRIMARY KEY (k) NOT ENFORCED, WATERMARK FOR ts AS ts
) WITH ({_UPSERTS});
CREATE TABLE prices (
  k INT, x INT, ts TIMESTAMP(3), PRIMARY KEY (k) NOT ENFORCED, WATERMARK FOR ts AS ts
) WITH ({_UPSERTS});
CREATE TABLE made (k INT, x INT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'datagen');
CREATE TABLE by_window (
  k INT, w_start TIMESTAMP(3), w_end TIMESTAMP(3), n BIGINT,
  PRIMARY KEY (k, w_start, w_end) NOT ENFORCED
) WITH ({_UPSERTS});
CREATE TABLE by_key (k INT, x INT, PRIMARY KEY (k) NOT ENFORCED) WITH ({_UPSERTS});
CREATE TABLE shown (k INT, x INT) WITH ('connector' = 'print');
"""
_HOP = "HOP(TABLE {table}, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND)"
_TUMBLE = "TUMBLE(TABLE {table}, DESCRIPTOR(ts), INTERVAL '10' SECOND)"
_FOREVER = "all rows of both sides, for ever"


def _plan(statement: str, **settings: str) -> ScriptPlan:
    given = tuple((name.replace("__", "."), value) for name, value in settings.items())
    return plan_script(parse(f"{_TABLES} {statement};"), name="test", settings=given)


def _query(statement: str) -> Query:
    return _plan(statement).queries[0]


def _steps(query: Query, of: type) -> list[Step]:
    return [step for step in _all(infer(query.input)) if isinstance(step.node, of)]


def _all(step: Step) -> Iterator[Step]:
    yield step
    for child in step.inputs:
        yield from _all(child)


@pytest.mark.parametrize(("window", "key"), [(_TUMBLE, ("`k`",)), (_HOP, ())])
def test_a_row_in_several_windows_is_several_rows(window: str, key: tuple[str, ...]) -> None:
    """The key of a table is that of its rows only while each of them is in one window."""
    table = window.format(table="items")
    query = _query(f"INSERT INTO shown SELECT k, x FROM TABLE({table})")
    [step] = _steps(query, Window)
    assert step.key == key


@pytest.mark.parametrize("table", ["events", "items"])
@pytest.mark.parametrize("window", [_TUMBLE, _HOP])
def test_groups_of_windows_have_their_bounds_in_the_key(window: str, table: str) -> None:
    """Flink's keys: (k, window_start, window_end). Nothing is kept for a sink with that key."""
    query = _query(
        "INSERT INTO by_window SELECT k, window_start, window_end, COUNT(*) "
        f"FROM TABLE({window.format(table=table)}) GROUP BY k, window_start, window_end"
    )
    [step] = _steps(query, WindowAggregate)
    assert len(step.key) == 3
    assert infer(query.input).key == ("`c0`", "`c1`", "`c2`")
    assert not query.materialized


@pytest.mark.parametrize(
    ("condition", "passed"),
    [
        ("k > 5", True),
        ("k IN (1, 2) AND CAST(k AS STRING) <> 'a`x`'", True),
        ("x > 5", False),
        ("k > 5 OR x > 5", False),
        ("k > RAND_INTEGER(10)", False),
        ("k > RAND()", False),
        ("k > SECOND(LOCALTIMESTAMP)", False),
        ("k > EXTRACT(HOUR FROM CURRENT_TIME)", False),
        ("k > DAYOFMONTH(CURRENT_DATE)", False),
        ("k > SECOND(CURRENT_ROW_TIMESTAMP())", False),
        ("CAST(k AS STRING) <> UUID()", False),
    ],
)
def test_a_filter_by_the_key_alone_passes_upserts_on(condition: str, passed: bool) -> None:
    """What it says of a key is the same of its old and its new row, unless clock or chance say."""
    query = _query(f"INSERT INTO by_key SELECT k, x FROM items WHERE {condition}")
    assert infer(query.input).mode is (ChangelogMode.UPSERT if passed else ChangelogMode.RETRACT)
    assert bool(_steps(query, Normalize)) is not passed


@pytest.mark.parametrize(("table", "single"), [("made", False), ("items", True)])
def test_a_primary_key_of_rows_that_only_come_replaces_nothing(table: str, single: bool) -> None:
    """Nobody takes back a row with the same key: all of them are joined, as in Flink."""
    query = _query(
        f"INSERT INTO shown SELECT t.k, e.x FROM {table} AS t LEFT JOIN events AS e ON t.k = e.k"
    )
    [step] = _steps(query, Join)
    assert isinstance(step.node, Join)
    assert is_single(step.node, 0) == single
    assert kept(step).startswith("one row per key of the left" if single else "all rows of both")


@pytest.mark.parametrize(
    ("condition", "met"),
    [
        ("a.k = b.k", "((`j1l0` = `j1r0`))"),
        ("b.k = a.k AND a.x = 3", "((`j1r0` = `j1l0`)) AND (coalesce((`j1l1` = 3), FALSE))"),
        ("a.k = b.k AND a.x < b.x", "((`j1l0` = `j1r0`)) AND (coalesce((`j1l1` < `j1r1`), FALSE))"),
        ("a.x + 1 = b.x", "((CAST((`j1l1` + 1) AS INT) = `j1r1`))"),
        ("a.k IS NOT DISTINCT FROM b.k", "((`j1l0` <=> `j1r0`))"),
        (
            "a.k = b.k AND (a.x = b.x OR a.x = 0)",
            "((`j1l0` = `j1r0`)) AND (coalesce(((`j1l1` = `j1r1`) OR (`j1l1` = 0)), FALSE))",
        ),
    ],
)
def test_rows_meet_by_equalities_of_both_sides(condition: str, met: str) -> None:
    query = _query(
        f"INSERT INTO shown SELECT a.k, b.x FROM items AS a JOIN prices AS b ON {condition}"
    )
    [step] = _steps(query, Join)
    assert isinstance(step.node, Join)
    assert condition_of(step.node) == met


@pytest.mark.parametrize(
    ("condition", "key"),
    [
        ("a.k = b.k", ("`k`",)),
        ("a.k = b.k AND a.x = 3", ("`k`",)),
        ("a.k = b.k AND a.x = b.x", ()),
        ("a.k = b.k AND (a.x = b.x OR a.x = 0)", ("`k`",)),
        ("a.k = b.k AND a.x IS NOT DISTINCT FROM b.x", ()),
        ("a.k = CAST(b.k AS BIGINT)", ()),
    ],
)
def test_a_key_goes_through_a_join_by_its_columns(condition: str, key: tuple[str, ...]) -> None:
    """None where a value that is no part of it decides which task a row goes to: it may change."""
    query = _query(
        f"INSERT INTO by_key SELECT a.k, b.x FROM items AS a JOIN prices AS b ON {condition}"
    )
    assert infer(query.input).key == tuple(f"`c{n}`" for n, _ in enumerate(key))
    assert bool(query.materialized) == (not key)


_TIMES = "a.ts BETWEEN b.ts - INTERVAL '1' HOUR AND b.ts"
_VERSIONS = """(SELECT e.k, e.ts FROM events AS e
  JOIN items FOR SYSTEM_TIME AS OF e.ts AS i ON e.k = i.k)"""


@pytest.mark.parametrize("kind", ["JOIN", "LEFT JOIN"])
def test_an_interval_join_above_versions_goes_by_the_watermark(kind: str) -> None:
    statement = (
        f"INSERT INTO shown SELECT a.k, b.x FROM {_VERSIONS} AS a {kind} others AS b "
        f"ON a.k = b.k AND {_TIMES}"
    )
    assert "not in this version yet" not in explain(_plan(statement))
    step = _steps(_query(statement), Join)[0]
    assert "until the watermark is" in kept(step)


def test_an_interval_join_of_rows_that_change_keeps_them() -> None:
    """The changelog engine goes by the equality alone, and `explain` says so."""
    statement = (
        "INSERT INTO shown SELECT a.k, b.x FROM items AS a JOIN others AS b "
        f"ON a.k = b.k AND {_TIMES}"
    )
    assert f"state: {_FOREVER}" in explain(_plan(statement))
    shorter = explain(_plan(statement, table__exec__state__ttl="1 min"))
    assert "state: all rows of both sides, for 60 s after a change" in shorter


_GROUPS = f"""(SELECT k, COUNT(*) AS n, window_start, window_end FROM TABLE({_TUMBLE})
  GROUP BY k, window_start, window_end)"""
_SESSIONS = """(SELECT k, COUNT(*) AS n, window_start, window_end
  FROM TABLE(SESSION(TABLE events PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND))
  GROUP BY k, window_start, window_end)"""
_FIRSTS = f"""(SELECT k, window_start, window_end FROM (SELECT *, ROW_NUMBER() OVER (
  PARTITION BY window_start, window_end, k ORDER BY ts DESC) AS place
  FROM TABLE({_TUMBLE.format(table="events")})) WHERE place = 1)"""
_DATED = f"""(SELECT k, window_start, window_end FROM TABLE(
  TUMBLE({_VERSIONS}, DESCRIPTOR(ts), INTERVAL '10' SECOND)))"""
_WINDOWED = {
    "sessions": _SESSIONS,
    "a top-N of windows": _FIRSTS,
    "windows over rows that change": _GROUPS.format(table="items"),
    "windows over a temporal join": _DATED,
}
_SAME_WINDOW = "a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end"


@pytest.mark.parametrize("kind", ["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
@pytest.mark.parametrize("side", _WINDOWED.values(), ids=list(_WINDOWED))
def test_window_joins_go_by_the_watermark(side: str, kind: str) -> None:
    others = _GROUPS.format(table="others")
    statement = f"SELECT a.k, CAST(b.n AS INT) FROM {side} AS a {kind} {others} AS b"
    statement = f"INSERT INTO shown {statement} ON {_SAME_WINDOW}"
    assert "not in this version yet" not in explain(_plan(statement))
    step = _steps(_query(statement), Join)[0]
    assert kept(step) == "rows of both sides, until the watermark passes the window's end"
    assert not step.changes


@pytest.mark.parametrize("word", ["EXISTS", "NOT EXISTS"])
def test_so_do_those_of_exists(word: str) -> None:
    others = f"SELECT 1 FROM {_GROUPS.format(table='others')} AS b WHERE {_SAME_WINDOW}"
    statement = f"INSERT INTO shown SELECT k, 1 FROM {_SESSIONS} AS a WHERE {word} ({others})"
    assert "not in this version yet" not in explain(_plan(statement))
    assert "until the watermark" in kept(_steps(_query(statement), Join)[0])
