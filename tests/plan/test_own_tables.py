"""Materialized views with a table of their own, and other names for views, planned."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from penstock.connectors.system import ConsumersSource, RowsSource
from penstock.errors import PenstockError
from penstock.plan.clickhouse.serve import views_of
from penstock.plan.steps import CopyView, ForgetView
from penstock.plan.walk import scans
from penstock.runtime.anew import copy_view, forget_view
from penstock.runtime.state import JobFolder
from tests.plan.warehouse import KEPT, QUEUE, VIEW

if TYPE_CHECKING:
    from pathlib import Path

    from penstock.plan.query import ScriptPlan
    from tests.plan.warehouse import Scripts

OWN = "CREATE MATERIALIZED VIEW mv ENGINE = MergeTree ORDER BY n AS SELECT n, s FROM queue;\n"
SECRET = """CREATE MATERIALIZED VIEW out ENGINE = Kafka SETTINGS kafka_broker_list = 'h:9092',
kafka_topic_list = 'o', kafka_group_name = 'g', kafka_format = 'JSONEachRow',
kafka_sasl_password = 'hunter2' COMMENT 'to others' AS SELECT n, s FROM queue;
"""


def _known(scripts: Scripts) -> list[tuple[str, str]]:
    return [(one.name, one.kind) for one in scripts.warehouse.read().objects]


def _actions(plan: ScriptPlan) -> str:
    return " ".join(type(step.action).__name__ for step in plan.steps)


def test_a_view_and_its_own_table_get_another_name_together(scripts: Scripts) -> None:
    scripts.run(QUEUE + OWN)
    folder = scripts.warehouse.read().objects[1].folder
    plan = scripts.plan("RENAME TABLE mv TO mv2;", keeps=True)
    assert _actions(plan) == "StopViews CopyView Keep ForgetView SetViews ReleaseViews"
    copied = [s.action for s in plan.steps if isinstance(s.action, CopyView | ForgetView)]
    assert copied == [CopyView("mv", "mv2"), ForgetView("mv", renamed=True)]
    scripts.warehouse.write(plan.steps[-1].definitions)
    assert _known(scripts) == [
        ("queue", "table"),
        ("mv2", "table"),
        ("mv2", "materialized view"),
    ]
    assert scripts.warehouse.read().objects[1].folder == folder
    found = views_of(scripts.warehouse, scripts.overrides, ())
    assert [(query.id, query.sink_table) for query in found.queries] == [("mv2", "mv2")]
    assert found.waiting == ()
    scripts.run("DROP VIEW mv2;")
    assert _known(scripts) == [("queue", "table")]


def test_a_view_of_a_table_of_others_gets_another_name(scripts: Scripts) -> None:
    scripts.run(f"CREATE DATABASE d; {QUEUE}{KEPT}{VIEW}")
    scripts.run("USE d; RENAME TABLE default.v TO w;")
    (view,) = [o for o in scripts.warehouse.read().objects if o.kind == "materialized view"]
    assert (view.name, view.sql) == (
        "d.w",
        "CREATE MATERIALIZED VIEW d.w TO kept AS SELECT n, s FROM queue",
    )
    found = views_of(scripts.warehouse, scripts.overrides, ())
    assert [(query.id, query.sink_table) for query in found.queries] == [("d.w", "kept")]
    assert scripts.run("RENAME TABLE d.w TO x, x TO v;").count("CopyView") == 1
    assert [q.id for q in views_of(scripts.warehouse, scripts.overrides, ()).queries] == ["v"]


def test_a_view_of_a_table_at_rest_does_not_begin_anew_under_another_name(
    scripts: Scripts,
) -> None:
    scripts.run(KEPT + "CREATE MATERIALIZED VIEW w ENGINE = Log AS SELECT n FROM kept;")
    plan = scripts.plan("RENAME TABLE w TO x;", keeps=True)
    assert _actions(plan) == "StopViews CopyView Keep ForgetView SetViews ReleaseViews"


def test_a_plain_view_gets_another_name(scripts: Scripts) -> None:
    plain = "CREATE VIEW p (`a`) AS SELECT n FROM kept"
    scripts.run(f"CREATE DATABASE d; {KEPT}{plain};")
    scripts.run("USE d; RENAME TABLE default.p TO q;")
    kept = [one for one in scripts.warehouse.read().objects if one.kind == "view"]
    assert [(one.name, one.sql) for one in kept] == [("d.q", plain.replace("p", "d.q", 1))]
    scripts.run("INSERT INTO kept (n) SELECT a FROM d.q;")
    plan = scripts.plan(f"{plain};", keeps=True)
    assert _actions(plan) == "Keep"
    scripts.warehouse.write(plan.steps[-1].definitions)
    assert scripts.refused("RENAME TABLE d.q TO p;", keeps=True).startswith("TABLE_EXISTS:")


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("RENAME TABLE mv TO v;", "TABLE_EXISTS"),
        ("RENAME TABLE kept TO v;", "TABLE_EXISTS"),
        ("RENAME TABLE v TO kept;", "TABLE_EXISTS"),
        ("RENAME TABLE v TO nowhere.v;", "UNKNOWN_DATABASE"),
        ("RENAME TABLE v TO x, mv TO v;", "INVALID_QUERY"),
        ("DETACH TABLE mv; RENAME TABLE mv TO x;", "UNKNOWN_TABLE"),
        ("DETACH TABLE v; RENAME TABLE v TO x;", "UNKNOWN_TABLE"),
        ("DETACH TABLE v; RENAME TABLE mv TO v;", "TABLE_EXISTS"),
        ("DETACH TABLE kept; RENAME TABLE kept TO x;", "UNKNOWN_TABLE"),
        ("DROP TABLE kept; RENAME TABLE v TO kept;", "INVALID_QUERY"),
        ("CREATE MATERIALIZED VIEW x TO x AS SELECT n FROM queue;", "INVALID_QUERY"),
        ("CREATE OR REPLACE MATERIALIZED VIEW v TO v AS SELECT n FROM queue;", "INVALID_QUERY"),
        ("CREATE MATERIALIZED VIEW kept TO mv AS SELECT n FROM queue;", "TABLE_EXISTS"),
    ],
)
def test_names_that_cannot_be_given_are_told(script: str, code: str, scripts: Scripts) -> None:
    scripts.run(QUEUE + KEPT + VIEW + OWN)
    assert scripts.refused(script, keeps=True).startswith(f"{code}:")


def test_another_query_leaves_a_view_its_own_table(scripts: Scripts) -> None:
    scripts.run(f"CREATE DATABASE d; USE d; {QUEUE}{OWN}")
    scripts.run("USE d; ALTER TABLE mv MODIFY QUERY SELECT n FROM queue WHERE n IN (1, 2);")
    found = views_of(scripts.warehouse, scripts.overrides, ())
    assert [(query.id, query.sink_table) for query in found.queries] == [("d.mv", "d.mv")]
    scripts.run("ALTER TABLE d.mv MODIFY QUERY SELECT s FROM d.queue;")
    assert len(views_of(scripts.warehouse, scripts.overrides, ()).queries) == 1
    scripts.run("DROP VIEW d.mv;")
    assert _known(scripts) == [("d.queue", "table")]
    scripts.plan(f"USE d; {OWN}", keeps=True)


def test_passwords_of_a_view_with_a_table_of_its_own_are_not_shown(scripts: Scripts) -> None:
    scripts.run(QUEUE + KEPT + SECRET)
    for before in ("", "RENAME TABLE out TO other;", "ALTER TABLE out MODIFY QUERY SELECT n, s "
                   "FROM queue WHERE n > 1;"):  # fmt: skip
        name = "other" if "RENAME" in before else "out"
        asked = f"{before}SHOW CREATE TABLE {name}; SELECT * FROM system.tables;"
        plan = scripts.plan(asked, keeps=True)
        (text,) = plan.results[0].rows[0]
        assert "hunter2" not in text
        assert "kafka_sasl_password = '***'" in text
        assert text.startswith(f"CREATE MATERIALIZED VIEW {name}\n(")
        assert "COMMENT 'to others'\nAS SELECT n, s FROM queue" in text
        (scan,) = scans(plan.queries[-1].input)
        assert isinstance(scan.spec.source, RowsSource)
        rows = {row["name"]: row for row in json.loads(scan.spec.source.rows)}
        assert rows[name]["create_table_query"] == " ".join(text.split())
        assert rows[name]["as_select"].startswith("SELECT n, s FROM queue")
        kept = {(one.name, one.kind): one.sql for one in plan.steps[-1].definitions.objects}
        assert "hunter2" in kept[name, "materialized view"]


def test_views_are_the_same_whatever_database_is_used(scripts: Scripts) -> None:
    scripts.run(f"CREATE DATABASE d; {QUEUE}{KEPT}{VIEW}{OWN}")
    steps = scripts.plan("USE d; CREATE TABLE x (n Int8) ENGINE = Log;", keeps=True)
    assert _actions(steps) == "MakeTable Keep"
    made = (
        "USE d; CREATE MATERIALIZED VIEW default.w TO default.kept AS SELECT n FROM default.queue;"
    )
    scripts.run(made)
    found = views_of(scripts.warehouse, scripts.overrides, ())
    assert [query.id for query in found.queries] == ["v", "mv", "w"]
    asked = "USE d; DESCRIBE TABLE default.w; SELECT table FROM system.kafka_consumers;"
    plan = scripts.plan(asked, keeps=True)
    (scan,) = scans(plan.queries[-1].input)
    assert isinstance(scan.spec.source, ConsumersSource)
    assert [(c.database, c.table) for c in scan.spec.source.consumers] == [("default", "queue")]
    (told,) = plan.results
    assert [row[0] for row in told.rows] == ["n"]


def test_what_a_view_has_read_goes_with_its_name(tmp_path: Path) -> None:
    folder = JobFolder("warehouse", tmp_path)
    old, new = folder.query("mv"), folder.query("mv2")
    for file, text in {"checkpoint/offsets/0": "v1", "starts.json": "{}"}.items():
        (old / file).parent.mkdir(parents=True, exist_ok=True)
        (old / file).write_text(text)
    (new / "checkpoint" / "offsets").mkdir(parents=True)
    (new / "checkpoint" / "offsets" / "7").write_text("of a view that is gone")
    copy_view(old, new)
    assert sorted(p.name for p in new.rglob("*") if p.is_file()) == ["0", "starts.json"]
    forget_view(folder, "mv", renamed=True)
    assert list(old.iterdir()) == []
    forget_view(folder, "mv2")
    assert [path.name for path in new.iterdir()] == ["starts.json"]
    copy_view(tmp_path / "never ran", new)
    assert not new.exists()


def test_tables_exchange_their_names(scripts: Scripts) -> None:
    """With their rows, also of two databases; a view is refused."""
    scripts.run(
        "CREATE DATABASE d; CREATE TABLE d.a (n Int64) ENGINE = MergeTree ORDER BY n;"
        "CREATE TABLE b (n Int64, s String) ENGINE = MergeTree ORDER BY n;"
        "CREATE TABLE c (n Int64) ENGINE = MergeTree ORDER BY n;"
        "CREATE MATERIALIZED VIEW v TO c AS SELECT n FROM d.a;"
    )
    folders = {one.name: one.folder for one in scripts.warehouse.read().objects}
    steps = scripts.run("EXCHANGE TABLES d.a AND b;")
    now = {one.name: one.folder for one in scripts.warehouse.read().objects}
    assert (now["d.a"], now["b"]) == (folders["b"], folders["d.a"])
    # The view follows the table of that name.
    assert "BeginView" in steps
    assert "INVALID_QUERY" in scripts.refused(
        "CREATE MATERIALIZED VIEW w TO c AS SELECT n FROM b; EXCHANGE TABLES v AND w;"
    )
    assert "UNKNOWN_TABLE" in scripts.refused("EXCHANGE TABLES b AND nothing;")


def test_what_is_created_takes_the_place_of_what_is_there(scripts: Scripts) -> None:
    """As in ClickHouse 26.9 whatever it is; a view goes on where the old one was."""
    scripts.run(QUEUE + KEPT + VIEW + OWN)
    folders = {one.folder for one in scripts.warehouse.read().objects if one.folder}
    plan = scripts.plan("CREATE OR REPLACE MATERIALIZED VIEW v TO kept AS SELECT n FROM queue;")
    assert _actions(plan) == "StopViews Keep SetViews ReleaseViews"
    scripts.warehouse.write(plan.steps[-1].definitions)
    (view,) = [one for one in scripts.warehouse.read().objects if one.name == "v"]
    assert view.sql == "CREATE MATERIALIZED VIEW v TO kept AS SELECT n FROM queue"
    table = "TABLE kept (n Int64) ENGINE = MergeTree ORDER BY n;"
    # All is known at once, and nothing goes before.
    changed = ["StopViews", "MakeTable", "RemoveTable", "ReleaseViews"]
    assert scripts.changes(f"CREATE OR REPLACE {table}") == changed
    scripts.run(f"CREATE OR REPLACE {OWN.removeprefix('CREATE').replace('n, s', 'n')}")
    found = views_of(scripts.warehouse, scripts.overrides, ())
    assert [(query.id, len(query.columns)) for query in found.queries] == [("v", 1), ("mv", 1)]
    assert folders.isdisjoint(one.folder for one in scripts.warehouse.read().objects)
    scripts.run("REPLACE TABLE v (n Int8) ENGINE = Log; CREATE OR REPLACE VIEW kept AS SELECT 1;")
    assert sorted(_known(scripts))[:2] == [("kept", "view"), ("mv", "materialized view")]
    assert sorted(_known(scripts))[-1] == ("v", "table")
    scripts.run("DETACH TABLE v;")
    assert scripts.refused("REPLACE TABLE v (n Int8) ENGINE = Log;").startswith("UNKNOWN_TABLE")
    refused = scripts.refused("CREATE OR REPLACE TABLE v (n Int8) ENGINE = Log;", keeps=True)
    assert refused.startswith("TABLE_EXISTS")


def test_a_kafka_table_that_is_replaced_is_as_new(scripts: Scripts) -> None:
    """What SYSTEM said of the old one is not for it."""
    scripts.run(QUEUE + KEPT + VIEW)
    plan = scripts.plan(QUEUE.replace("CREATE", "CREATE OR REPLACE").replace("'t'", "'u'"))
    assert _actions(plan) == "StopViews MoveTables Keep ReleaseViews"


def test_what_replaces_a_table_is_filled_before_views_begin_with_it(scripts: Scripts) -> None:
    """ClickHouse fills it under another name: no view sees those rows."""
    scripts.run(KEPT + "CREATE MATERIALIZED VIEW w ENGINE = Log AS SELECT n FROM kept;")
    into = "TABLE kept ENGINE = MergeTree ORDER BY n AS SELECT * FROM kept;"
    done = _actions(scripts.plan(f"CREATE OR REPLACE {into}", keeps=True))
    assert done == (
        "StopViews MakeTable RunOnce CloseTables StopViews BeginView Keep RemoveTable ReleaseViews"
    )
    done = _actions(scripts.plan("DROP TABLE kept;", keeps=True))
    assert done == "CloseTables StopViews Keep RemoveTable ReleaseViews"


def test_what_could_not_replace_another_is_no_second_mistake(scripts: Scripts) -> None:
    scripts.run(f"{KEPT}CREATE VIEW p AS SELECT n FROM kept;")
    for made in ("VIEW p", "TABLE p ENGINE = Log", "MATERIALIZED VIEW p ENGINE = Log"):
        with pytest.raises(PenstockError) as caught:
            scripts.plan(f"CREATE OR REPLACE {made} AS SELECT x FROM kept; SELECT n FROM p;")
        assert (caught.value.code, caught.value.also) == ("UNKNOWN_COLUMN", ())
