"""The views of a warehouse, planned: which run, which wait, and what stands still for a change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typer.testing import CliRunner

from penstock.cli.main import app
from penstock.plan.clickhouse.serve import plan_views, views_of
from penstock.plan.steps import HoldViews, SetViews, StopViews
from tests.plan.warehouse import KEPT, QUEUE, VIEW

if TYPE_CHECKING:
    from tests.plan.warehouse import Scripts


def test_a_script_runs_only_views_of_its_own(scripts: Scripts) -> None:
    scripts.run(QUEUE + KEPT + VIEW)
    plan = scripts.plan("INSERT INTO kept (n) VALUES (1);")
    assert [type(step.action).__name__ for step in plan.steps] == ["RunOnce"]
    assert plan_views(scripts.warehouse, scripts.overrides, ()).queries[0].id == "v"
    attached = scripts.plan("DETACH TABLE queue; ATTACH TABLE queue;").steps[-1].action
    assert isinstance(attached, SetViews)
    assert [query.id for query in attached.views] == ["v"]


def test_views_that_cannot_run_wait_for_a_reason(scripts: Scripts) -> None:
    scripts.run(QUEUE + KEPT + VIEW + "DETACH TABLE queue;")
    found = views_of(scripts.warehouse, scripts.overrides, ())
    assert (found.queries, found.waiting) == ((), (("v", "`queue` is detached"),))
    scripts.run("ATTACH TABLE queue; DROP TABLE kept; DETACH TABLE v;")
    found = views_of(scripts.warehouse, scripts.overrides, ())
    assert found.waiting == (("v", "`v` is detached, `kept` is not there"),)


def test_nobody_reads_a_queue_while_a_view_of_it_lacks_its_table(scripts: Scripts) -> None:
    other = KEPT.replace("kept", "other")
    beside = VIEW.replace(" v ", " w ").replace("kept", "other")
    scripts.run(QUEUE + KEPT + VIEW + other + beside)
    scripts.run("DROP TABLE kept;")
    found = views_of(scripts.warehouse, scripts.overrides, ())
    waits = "`v`, which reads `queue` too, waits for its table"
    assert found.waiting == (("v", "`kept` is not there"), ("w", waits))
    scripts.run("DETACH TABLE v;")
    assert [q.id for q in views_of(scripts.warehouse, scripts.overrides, ()).queries] == ["w"]


def test_what_is_planned_twice_is_the_same(scripts: Scripts) -> None:
    scripts.run(QUEUE + KEPT + VIEW)
    first, second = (views_of(scripts.warehouse, scripts.overrides, ()) for _ in range(2))
    assert first == second
    assert len(first.queries) == 1


def test_views_are_stopped_before_anything_of_theirs_is_changed(scripts: Scripts) -> None:
    scripts.run(QUEUE + KEPT + VIEW)
    for script, actions in {
        "ALTER TABLE kept ADD COLUMN x Int8;": "StopViews ChangeColumns Keep ReleaseViews",
        "DROP TABLE kept;": "StopViews Keep RemoveTable ReleaseViews",
        "DROP TABLE queue;": "StopViews MoveTables Keep ReleaseViews",
        "RENAME TABLE queue TO other;": "StopViews MoveTables Keep ReleaseViews",
        "DROP VIEW v;": "StopViews Keep ForgetView ReleaseViews",
        "DETACH TABLE v;": "StopViews Keep ReleaseViews",
        "RENAME TABLE kept TO other;": "StopViews Keep ReleaseViews",
        "SYSTEM STOP queue;": "Command",
        "OPTIMIZE TABLE kept;": "CompactTable RemoveOldFiles",
        "OPTIMIZE TABLE kept FINAL;": "HoldViews CompactTable RemoveOldFiles ReleaseViews",
        "ALTER TABLE kept DROP PARTITION 1;": "HoldViews EmptyTable ReleaseViews",
        "TRUNCATE TABLE kept;": "HoldViews EmptyTable ReleaseViews",
    }.items():
        steps = scripts.plan(script, keeps=True).steps
        assert " ".join(type(step.action).__name__ for step in steps) == actions


def test_a_view_stands_still_while_rows_of_its_table_expire(scripts: Scripts) -> None:
    made = (
        "CREATE TABLE old (n Int64, d Date) ENGINE = MergeTree ORDER BY n TTL d + INTERVAL 1 DAY;"
    )
    view = "CREATE MATERIALIZED VIEW w TO old AS SELECT n FROM queue;"
    scripts.run(QUEUE + KEPT + VIEW + made + view)
    hold, *rest = (step.action for step in scripts.plan("OPTIMIZE TABLE old;").steps)
    assert isinstance(hold, HoldViews)
    # The view of another table goes on.
    assert [query.id for query in hold.views] == ["w"]
    assert [type(one).__name__ for one in rest] == [
        *("MutateRows", "CompactTable", "RemoveOldFiles", "ReleaseViews")
    ]


def test_views_read_after_those_that_fill_what_they_look_up(scripts: Scripts) -> None:
    """Also one that looks up what it fills; and before rows that they look up go."""
    scripts.run(
        "".join(
            f"CREATE TABLE {name} (n Int64) ENGINE = MergeTree ORDER BY n;"
            for name in ("src", "other", "dim", "kept", "last")
        )
        + "CREATE MATERIALIZED VIEW w TO last AS SELECT n FROM kept;"
        "CREATE MATERIALIZED VIEW v TO kept AS SELECT n FROM src WHERE n NOT IN "
        "(SELECT n FROM kept) AND n IN (SELECT n FROM dim);"
        "CREATE MATERIALIZED VIEW x TO dim AS SELECT n FROM other;"
    )
    for script, views, read in (
        ("DROP VIEW w;", ["w"], ["x", "v", "w"]),
        ("TRUNCATE TABLE dim;", ["v", "x"], ["x", "v"]),
        ("TRUNCATE TABLE src;", [], []),
    ):
        action = scripts.plan(script, keeps=True).steps[0].action
        found = action if isinstance(action, StopViews | HoldViews) else HoldViews(())
        assert [query.id for query in found.views] == views
        assert [query.id for query in found.inserted] == read


def test_a_view_needs_a_table_that_it_follows(scripts: Scripts) -> None:
    for query in ("1 AS n", "x.n AS n FROM (SELECT 1 AS n) AS x INNER JOIN kept AS k ON k.n = x.n"):
        text = scripts.refused(f"{KEPT}\nCREATE MATERIALIZED VIEW w TO kept AS SELECT {query};")
        assert text.startswith("UNSUPPORTED_QUERY: ")
        assert "without a table that comes first in its query" in text


def test_a_view_is_known_only_once_it_has_begun(scripts: Scripts) -> None:
    """Whoever runs views would else read rows that are older than the view."""
    scripts.run(KEPT + "CREATE TABLE copied (n Int64) ENGINE = MergeTree ORDER BY n;")
    made = "CREATE MATERIALIZED VIEW w TO copied AS SELECT n FROM kept;"
    for script, actions in {
        made: "ForgetView BeginView Keep SetViews",
        f"{made}DROP TABLE kept;{KEPT}": "MakeTable BeginView Keep SetViews",
        f"{made}DETACH TABLE kept; ATTACH TABLE kept;": "BeginView Keep SetViews",
        "CREATE MATERIALIZED VIEW w ENGINE = Log AS SELECT n FROM kept;": (
            "MakeTable ForgetView BeginView Keep SetViews"
        ),
    }.items():
        steps = scripts.plan(script, keeps=True).steps[-actions.count(" ") - 1 :]
        assert " ".join(type(step.action).__name__ for step in steps) == actions
        at = actions.split().index("Keep")
        assert [step.definitions == steps[-1].definitions for step in steps] == [
            number >= at for number in range(len(steps))
        ]


def test_a_view_may_wait_for_the_table_it_fills(scripts: Scripts) -> None:
    scripts.run(QUEUE + KEPT)
    scripts.run("DROP TABLE kept;")
    assert scripts.refused(VIEW).startswith("UNKNOWN_TABLE")
    plan = scripts.plan(VIEW, keeps=True)
    assert plan.notes == ("1:26: The view `v` waits: its table `kept` is not there.",)
    scripts.warehouse.write(plan.steps[-1].definitions)
    found = views_of(scripts.warehouse, scripts.overrides, ())
    assert found.waiting == (("v", "`kept` is not there"),)
    assert "UNKNOWN_COLUMN" in scripts.refused(
        VIEW.replace("v TO", "w TO").replace("n,", "m,"), keeps=True
    )
    table = "CREATE TABLE kept (n Array(Int64), s String) ENGINE = MergeTree ORDER BY s;"
    assert scripts.refused(table, keeps=True).startswith("INSERT_TYPE_MISMATCH")


def test_a_view_of_all_but_some_columns_waits_for_its_table(scripts: Scripts) -> None:
    view = VIEW.replace("n, s", "* EXCEPT s")
    scripts.run(f"{QUEUE}{KEPT}{view}CREATE VIEW plain AS SELECT * EXCEPT s FROM queue;")
    scripts.run("DROP TABLE queue;")
    assert "UNKNOWN_TABLE: There is no table or view `queue`" in scripts.refused(
        "SELECT n FROM plain;"
    )
    scripts.run("CREATE TABLE other (n Int64) ENGINE = Log;")
    assert "plain" in [one.name for one in scripts.warehouse.read().objects]
    found = views_of(scripts.warehouse, scripts.overrides, ())
    assert found.waiting == (("v", "`queue` is not there"),)


def test_how_the_views_of_a_warehouse_run_is_explained(scripts: Scripts) -> None:
    scripts.run(QUEUE + KEPT + VIEW)
    told = CliRunner().invoke(app, ["explain", str(scripts.warehouse.path)])
    assert told.exit_code == 0
    assert "Query v" in told.stdout
    assert "exactly-once" in told.stdout


def test_views_that_wait_are_explained(scripts: Scripts) -> None:
    scripts.run(QUEUE + KEPT + VIEW)
    scripts.run("DETACH TABLE queue;")
    told = CliRunner().invoke(app, ["explain", str(scripts.warehouse.path)])
    assert told.exit_code == 0
    assert "No view that can run" in told.stdout
    assert "The view `v` waits: `queue` is detached." in told.stderr


def test_a_name_of_with_is_a_column_of_the_view(scripts: Scripts) -> None:
    view = "CREATE MATERIALIZED VIEW v TO kept AS "
    for query in (
        "WITH toString(s) AS s, n * 2 AS n SELECT n, s FROM queue",
        "SELECT toString(m + 1 AS n) AS s, n FROM (WITH n AS m SELECT m FROM queue)",
    ):
        columns = scripts.plan(f"{QUEUE}{KEPT}{view}{query};").queries[-1].columns
        assert {"n", "s"} <= {name for name, _ in columns}
