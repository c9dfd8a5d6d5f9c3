"""What is detached in a warehouse, or attached, or not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.plan.warehouse import KEPT, QUEUE, VIEW

if TYPE_CHECKING:
    from tests.plan.warehouse import Scripts


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("ATTACH TABLE kept;", "NOT_DETACHED"),
        ("ATTACH TABLE other;", "UNKNOWN_TABLE"),
        ("DETACH TABLE other;", "UNKNOWN_TABLE"),
        ("DETACH TABLE kept; CREATE TABLE kept (n Int8) ENGINE = Log;", "TABLE_EXISTS"),
        ("DETACH TABLE kept; RENAME TABLE queue TO kept;", "TABLE_EXISTS"),
        ("DETACH TABLE v; CREATE VIEW v AS SELECT 1;", "TABLE_EXISTS"),
        ("DETACH TABLE queue; DROP VIEW v; CREATE MATERIALIZED VIEW v TO kept AS "
         "SELECT n FROM queue;", "UNKNOWN_TABLE"),
        ("SYSTEM STOP kept;", "INVALID_QUERY"),
        ("SYSTEM STOP other;", "UNKNOWN_TABLE"),
        ("SET stream_like_engine_allow_direct_select = 1; SYSTEM STOP queue; SELECT n FROM queue;",
         "VIEW_ATTACHED"),
    ],
)  # fmt: skip
def test_what_is_there_or_not_is_told(script: str, code: str, scripts: Scripts) -> None:
    scripts.run(QUEUE + KEPT + VIEW)
    assert scripts.refused(script, keeps=True).startswith(f"{code}:")


@pytest.mark.parametrize(
    ("statement", "table"),
    [
        ("SELECT n FROM kept;", "kept"),
        ("SELECT * EXCEPT n FROM kept;", "kept"),
        ("INSERT INTO kept (n) VALUES (1);", "kept"),
        ("INSERT INTO kept (n) SELECT 1;", "kept"),
        ("INSERT INTO queue (n) VALUES (1);", "queue"),
        ("EXPLAIN SELECT n FROM kept;", "kept"),
        ("ALTER TABLE kept ADD COLUMN x Int8;", "kept"),
        ("ALTER TABLE v MODIFY QUERY SELECT n FROM queue;", "v"),
        ("RENAME TABLE kept TO other;", "kept"),
        ("TRUNCATE TABLE kept;", "kept"),
        ("OPTIMIZE TABLE kept;", "kept"),
        ("DROP TABLE kept;", "kept"),
        ("DROP VIEW v;", "v"),
        ("DETACH TABLE kept;", "kept"),
        ("DESCRIBE TABLE kept;", "kept"),
        ("DESCRIBE TABLE v;", "v"),
        ("SHOW CREATE TABLE kept;", "kept"),
        ("SYSTEM STOP queue;", "queue"),
        ("CREATE TABLE other AS kept;", "kept"),
        ("CREATE MATERIALIZED VIEW w ENGINE = Log AS SELECT n FROM queue;", "queue"),
    ],
)
def test_what_is_detached_is_as_if_it_were_not_there(
    statement: str, table: str, scripts: Scripts
) -> None:
    """In a statement of the same script, and in one that finds it detached."""
    scripts.run(f"{QUEUE}{KEPT}{VIEW}")
    detach = f"DETACH TABLE {table};"
    told = f"UNKNOWN_TABLE: There is no table or view `{table}`. It is detached: ATTACH TABLE"
    assert scripts.refused(detach + statement, keeps=True).startswith(told)
    scripts.run(detach)
    assert scripts.refused(statement, keeps=True).startswith(told)
    scripts.plan(f"ATTACH TABLE {table}; DETACH TABLE {table};", keeps=True)


def test_statements_that_ask_whether_it_is_there_pass_over_what_is_detached(
    scripts: Scripts,
) -> None:
    scripts.run(QUEUE + KEPT + VIEW)
    scripts.run("DETACH TABLE kept; DETACH TABLE v;")
    asked = (
        "DROP TABLE IF EXISTS kept; DETACH TABLE IF EXISTS kept; TRUNCATE TABLE IF EXISTS kept;"
        "DROP VIEW IF EXISTS v; CREATE TABLE IF NOT EXISTS kept (n Int8) ENGINE = Log;"
        "CREATE TABLE IF NOT EXISTS kept ENGINE = Log AS SELECT 1 AS n;"
        "EXISTS TABLE kept; EXISTS VIEW v;"
    )
    plan = scripts.plan(asked, keeps=True)
    assert [result.rows for result in plan.results] == [(("0",),), (("0",),)]
    assert [type(step.action).__name__ for step in plan.steps] == ["Tell", "Tell"]
    assert plan.steps[-1].definitions == scripts.warehouse.read()
    scripts.plan("ATTACH TABLE kept; ATTACH TABLE IF NOT EXISTS kept;", keeps=True)
