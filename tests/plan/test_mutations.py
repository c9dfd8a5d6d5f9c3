"""DELETE and UPDATE of rows at rest, planned: what is done, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.plan.steps import HoldViews, MutateRows

if TYPE_CHECKING:
    from tests.plan.warehouse import Scripts

TABLE = """CREATE TABLE t (id UInt64, n Int64, s String, m Int64 MATERIALIZED n + 1, d Int64
DEFAULT n, v UInt8) ENGINE = ReplacingMergeTree(v) PARTITION BY id % 2 ORDER BY id;"""


def test_each_part_is_one_step_in_its_order(scripts: Scripts) -> None:
    script = "UPDATE n = n * 2, s = upper(s) IN PARTITION 1 WHERE id IN (1, 2), DELETE WHERE n > 5"
    first, second = (
        step.action
        for step in scripts.plan(f"{TABLE} ALTER TABLE t {script};").steps
        if isinstance(step.action, MutateRows)
    )
    assert [name for name, *_ in first.columns] == ["n", "s", "m"]
    assert (first.gone, "1" in (first.partition or "")) == ("", True)
    assert (second.columns, "`n`" in second.gone, second.partition) == ((), True, None)


@pytest.mark.parametrize(
    "script",
    ["DELETE FROM t WHERE n = 1", "ALTER TABLE t DELETE WHERE n = 1 SETTINGS mutations_sync = 2"],
)
def test_views_that_fill_the_table_stand_still(script: str, scripts: Scripts) -> None:
    source = "CREATE TABLE src (id UInt64) ENGINE = MergeTree ORDER BY id;"
    scripts.run(f"{TABLE} {source} CREATE MATERIALIZED VIEW w TO t AS SELECT id FROM src;")
    hold, change, _ = (step.action for step in scripts.plan(f"{script};", keeps=True).steps)
    assert isinstance(hold, HoldViews)
    assert isinstance(change, MutateRows)
    assert [query.id for query in hold.views] == ["w"]


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("ALTER TABLE t UPDATE id = 1 WHERE 1;", "Cannot UPDATE key column `id`"),
        ("ALTER TABLE t UPDATE v = 1 WHERE 1;", "Cannot UPDATE key column `v`"),
        ("ALTER TABLE t UPDATE m = 1 WHERE 1;", "Cannot UPDATE materialized column `m`"),
        ("ALTER TABLE t UPDATE s = 1, s = 2 WHERE 1;", "There are two values for column `s`"),
        ("ALTER TABLE t UPDATE x = 1 WHERE 1;", "There is no column `x` in `t`"),
        ("ALTER TABLE t UPDATE n = [1] WHERE 1;", "UNCASTABLE"),
        ("ALTER TABLE t UPDATE n = 1;", "expected `WHERE`"),
        ("DELETE FROM t;", "expected `WHERE`"),
        ("DELETE FROM t WHERE x = 1;", "UNKNOWN_COLUMN"),
        ("DELETE FROM t WHERE id IN (SELECT id FROM t);", "A query in DELETE or UPDATE"),
        ("DELETE FROM t WHERE n = 1, n = 2;", "this was not expected here"),
        ("DELETE FROM nothing WHERE n = 1;", "UNKNOWN_TABLE"),
        ("DELETE FROM t WHERE n = 1 SETTINGS mutations_snyc = 1;", "UNKNOWN_SETTING"),
    ],
)
def test_what_cannot_be_is_refused(script: str, reason: str, scripts: Scripts) -> None:
    assert reason in scripts.refused(f"{TABLE} {script}")
