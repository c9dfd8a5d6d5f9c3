"""ALTER TABLE of tables at rest, planned: what becomes of their columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.plan.steps import ChangeColumns
from penstock.runtime.table_changes import left_to_do

if TYPE_CHECKING:
    from tests.plan.warehouse import Scripts


def test_columns_follow_alter_with_as_little_work_as_can_be(scripts: Scripts) -> None:
    table = "CREATE TABLE t (id Int64, a String, b Int32) ENGINE = MergeTree ORDER BY id;"
    alter = "ALTER TABLE t ADD COLUMN c UInt64 FIRST, DROP COLUMN b, RENAME COLUMN a TO d;"
    step, kept = scripts.plan(table + alter).steps[-2:]
    assert isinstance(step.action, ChangeColumns)
    assert step.action.added == (("c", "DECIMAL(20, 0)"),)
    assert step.action.moved == (("b", ""), ("a", "d"))
    assert not step.action.rewritten
    assert kept.definitions.objects[0].added == ("c",)
    for rewriting in ("MODIFY COLUMN b String", "ADD COLUMN e String DEFAULT a"):
        action = scripts.plan(f"{table}ALTER TABLE t {rewriting};").steps[-2].action
        assert isinstance(action, ChangeColumns)
        assert action.rewritten


def test_an_alter_that_broke_off_goes_on_where_it_was(scripts: Scripts) -> None:
    table = "CREATE TABLE t (id Int64, a String, b Int8, x ALIAS id + 1) ENGINE = Log;"
    for alter, states in {
        "ADD COLUMN c Int8": ["id a b", "id a b c"],
        "RENAME COLUMN a TO c, DROP COLUMN c": ["id a b", "id c b", "id b"],
        # A column has the name of one that went: it must not go, too.
        "DROP COLUMN a, RENAME COLUMN b TO a": ["id a b", "id b", "id a"],
        "RENAME COLUMN a TO c, RENAME COLUMN b TO a": ["id a b", "id c b", "id c a"],
        "RENAME COLUMN a TO c, ADD COLUMN a Int8": ["id a b", "id c b", "id c b a"],
        # Nobody keeps it.
        "RENAME COLUMN x TO y": ["id a b"],
    }.items():
        action = scripts.plan(f"{table}ALTER TABLE t {alter};").steps[-2].action
        assert isinstance(action, ChangeColumns)
        parts = (*action.moved, *action.added)
        assert len(parts) == len(states) - 1
        for done, names in enumerate(states):
            # What another ALTER has left there is no matter.
            moved, added = left_to_do(action, [*names.split(), "other"])
            assert (*moved, *added) == parts[done:]


def test_views_that_do_not_run_are_readers_too(scripts: Scripts) -> None:
    scripts.run(
        "CREATE DATABASE d; USE d; CREATE TABLE t (n Int64, o Int64) ENGINE = Log;"
        "CREATE TABLE kept (o Int64) ENGINE = Log; CREATE VIEW plain AS SELECT o FROM t;"
        "CREATE MATERIALIZED VIEW w TO kept AS SELECT o FROM plain;"
    )
    drop = "ALTER TABLE d.t DROP COLUMN o;"
    assert "The materialized view `d.w` reads `d.t`" in scripts.refused(drop)
    detached = scripts.refused(f"DETACH TABLE d.w;{drop}")
    assert "ATTACH TABLE d.w and DROP VIEW d.w first" in detached
    assert "`d.w` reads `d.t`" in scripts.refused(f"DROP TABLE d.kept;{drop}")


@pytest.mark.parametrize(
    ("alter", "reason"),
    [
        ("RENAME COLUMN o TO p, RENAME COLUMN p TO q", "`p` is renamed twice in one ALTER"),
        ("DROP COLUMN n", "part of a key"),
        ("RENAME COLUMN s TO r", "part of a key"),
        ("DROP COLUMN o", "The materialized view `w` reads `t`"),
        ("ADD COLUMN o Int8", "is there already"),
    ],
)
def test_what_rows_at_rest_cannot_follow_is_refused(
    alter: str, reason: str, scripts: Scripts
) -> None:
    table = "CREATE TABLE t (n Int64, s String, o Int64) ENGINE = MergeTree ORDER BY (n, lower(s));"
    view = "CREATE MATERIALIZED VIEW w ENGINE = Log AS SELECT o FROM t;"
    assert reason in scripts.refused(f"{table}{view}ALTER TABLE t {alter};")
