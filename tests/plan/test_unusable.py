"""What a warehouse has and cannot be understood any more hinders nobody else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from penstock.plan.clickhouse.serve import plan_views, views_of
from penstock.plan.steps import HoldViews, RemoveOldFiles, StopViews
from tests.plan.warehouse import KEPT, QUEUE, VIEW

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plan.warehouse import Scripts

_SCHEMA = 'syntax = "proto3"; message Order { int64 n = 1; }'
_ORDERS = """CREATE TABLE orders (n Int64) ENGINE = Kafka SETTINGS kafka_broker_list = 'h:9092',
kafka_topic_list = 'o', kafka_group_name = 'g', kafka_format = 'ProtobufSingle',
kafka_schema = 'orders.proto:Order';
"""
_SEEN = "CREATE TABLE seen (n Int64) ENGINE = MergeTree ORDER BY n;\n"
_VIEW = "CREATE MATERIALIZED VIEW w TO seen AS SELECT n FROM orders;\n"


@pytest.fixture
def schema(scripts: Scripts, tmp_path: Path) -> Path:
    """The file that `orders` names, beside the script; all is declared there."""
    file = tmp_path / "job" / "orders.proto"
    file.parent.mkdir()
    file.write_text(_SCHEMA)
    elsewhere, beside = scripts.overrides, replace(scripts.overrides, folders=(str(file.parent),))
    scripts.overrides = beside
    scripts.run(QUEUE + KEPT + VIEW + _ORDERS + _SEEN + _VIEW)
    scripts.overrides = elsewhere
    return file


def _shown(scripts: Scripts, statement: str) -> str:
    return str(scripts.plan(statement, keeps=True).results[-1].rows)


def test_the_schema_of_a_table_is_found_from_any_folder(scripts: Scripts, schema: Path) -> None:
    found = views_of(scripts.warehouse, scripts.overrides, ())
    assert [query.id for query in found.queries] == ["v", "w"]
    assert "'orders.proto:Order'" in _shown(scripts, "SHOW CREATE TABLE orders;")


def test_what_cannot_be_used_is_told_to_whoever_needs_it_alone(
    scripts: Scripts, schema: Path
) -> None:
    schema.unlink()
    plan = plan_views(scripts.warehouse, scripts.overrides, ())
    assert [query.id for query in plan.queries] == ["v"]
    assert "The view `w` waits: `orders` cannot be used: " in plan.notes[0]
    assert "orders.proto" in plan.notes[0]
    scripts.plan("SELECT n FROM kept; INSERT INTO seen VALUES (1);", keeps=True)
    assert "orders" in _shown(scripts, "SHOW TABLES;")
    # Also a script that declares it once more.
    rename = "RENAME TABLE orders TO other;"
    for script in ("DESCRIBE orders;", "SHOW CREATE TABLE orders;", rename, _SEEN + _ORDERS):
        assert scripts.refused(script).startswith("UNUSABLE_TABLE: ")
    assert scripts.refused(_ORDERS, keeps=True).startswith("TABLE_EXISTS: ")


def test_what_cannot_be_used_stays_until_it_can_or_is_dropped(
    scripts: Scripts, schema: Path
) -> None:
    schema.unlink()
    before = scripts.warehouse.read()
    scripts.run("CREATE TABLE other (n Int64) ENGINE = MergeTree ORDER BY n; DROP TABLE other;")
    assert set(scripts.warehouse.read().objects) == set(before.objects)
    scripts.run("DETACH TABLE orders;")
    assert "ATTACH TABLE orders" in scripts.refused("DROP TABLE orders;")
    scripts.run("ATTACH TABLE orders;")
    schema.write_text(_SCHEMA)
    found = views_of(scripts.warehouse, scripts.overrides, ())
    assert [query.id for query in found.queries] == ["v", "w"]
    schema.unlink()
    scripts.run("DROP TABLE orders; DROP VIEW w;")
    assert {"orders", "w"}.isdisjoint(one.name for one in scripts.warehouse.read().objects)
    scripts.plan(_ORDERS.replace("'ProtobufSingle'", "'CSV'"))


def _spoil(scripts: Scripts, was: str, now: str) -> None:
    """Other words in the query of the view."""
    found = scripts.warehouse.read()
    spoiled = [
        replace(one, sql=one.sql.replace(was, now)) if one.name == "v" else one
        for one in found.objects
    ]
    scripts.warehouse.write(replace(found, objects=tuple(spoiled)))


def test_who_runs_what_cannot_be_planned_lets_go_of_it(scripts: Scripts, schema: Path) -> None:
    """Before it is dropped, and before anything is changed that may be of its tables."""
    schema.unlink()
    for script, actions in {
        "DROP VIEW w;": "HoldViews Keep ForgetView ReleaseViews",
        "DROP TABLE seen;": "HoldViews Keep RemoveTable ReleaseViews",
        "DROP TABLE queue;": "StopViews MoveTables Keep ReleaseViews",
        "TRUNCATE TABLE seen;": "HoldViews EmptyTable ReleaseViews",
        "INSERT INTO seen VALUES (1);": "RunOnce",
    }.items():
        steps = scripts.plan(script, keeps=True).steps
        assert " ".join(type(step.action).__name__ for step in steps) == actions
        action = steps[0].action
        if isinstance(action, StopViews | HoldViews):
            assert action.unplanned == ("w",)


def test_optimize_asks_views_that_cannot_be_read_what_they_need(scripts: Scripts) -> None:
    scripts.run(QUEUE + KEPT + VIEW + VIEW.replace(" v ", " w "))
    _spoil(scripts, "SELECT", "SELEC")
    (removal,) = (
        step.action
        for step in scripts.plan("OPTIMIZE TABLE kept;").steps
        if isinstance(step.action, RemoveOldFiles)
    )
    assert removal.views == ("v", "w")


def test_what_replaces_a_view_that_cannot_be_read_goes_on(scripts: Scripts) -> None:
    scripts.run(QUEUE + KEPT + VIEW)
    _spoil(scripts, "SELECT", "SELEC")
    made = VIEW.replace("CREATE", "CREATE OR REPLACE")
    assert scripts.run(made) == ["HoldViews", "Keep", "SetViews", "ReleaseViews"]
    _spoil(scripts, "SELECT", "SELEC")
    assert scripts.run(f"DROP VIEW v; {VIEW}").count("ForgetView") == 2


def test_a_view_that_cannot_be_planned_waits_with_those_beside_it(scripts: Scripts) -> None:
    """Else the group would be told of messages that it has not had."""
    other = VIEW.replace(" v ", " other ")
    scripts.run(QUEUE + KEPT + VIEW + other + _SEEN)
    _spoil(scripts, "SELECT n", "SELECT gone(n) AS n")
    views = views_of(scripts.warehouse, scripts.overrides, ())
    assert views.queries == ()
    waiting = dict(views.waiting)
    assert "gone" in waiting["v"]
    assert waiting["other"] == "`v`, which reads `queue` too, cannot be planned"
    scripts.run("INSERT INTO seen VALUES (1); DETACH TABLE v; ATTACH TABLE v;")
    scripts.run("DROP VIEW v;")
    assert [q.id for q in views_of(scripts.warehouse, scripts.overrides, ()).queries] == ["other"]
