"""Scripts with tables at rest, planned: their steps, and what the warehouse knows after them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from penstock.cli.main import app
from penstock.plan.clickhouse.serve import plan_views, views_of
from penstock.plan.steps import HoldViews, Keep, SetViews

if TYPE_CHECKING:
    from tests.plan.warehouse import Scripts

QUEUE = """CREATE TABLE queue (n Int64, s Enum8('a' = 1, 'it\\'s' = 2)) ENGINE = Kafka
SETTINGS kafka_broker_list = 'h:9092', kafka_topic_list = 't', kafka_group_name = 'g',
kafka_format = 'JSONEachRow', kafka_sasl_password = 'secret', kafka_max_block_size = 10;
"""
KEPT = """CREATE TABLE kept (n Int64, s String DEFAULT 'x', m Int64 MATERIALIZED n + 1,
a Int64 ALIAS n * 2) ENGINE = ReplacingMergeTree(n) PARTITION BY n % 10 ORDER BY (s, n)
SETTINGS index_granularity = 8192 COMMENT 'all of them';
"""
VIEW = "CREATE MATERIALIZED VIEW v TO kept AS SELECT n, s FROM queue;\n"


def test_a_script_of_kafka_tables_alone_has_no_steps(scripts: Scripts) -> None:
    null = "CREATE TABLE nothing (n Int64) ENGINE = Null;"
    plan = scripts.plan(
        f"{QUEUE}{null}CREATE MATERIALIZED VIEW v TO nothing AS SELECT n FROM queue;"
    )
    assert (plan.steps, [query.id for query in plan.queries]) == ((), ["v"])


def test_definitions_survive_as_they_are(scripts: Scripts) -> None:
    database = "CREATE DATABASE d; USE d;"
    plain = "CREATE VIEW even AS SELECT * EXCEPT s FROM kept WHERE n % 2 = 0;"
    scripts.run(f"{database}{QUEUE}{KEPT}{VIEW}{plain}DETACH TABLE queue;")
    found = scripts.warehouse.read()
    again = scripts.plan("USE d; SELECT n FROM even; CREATE DATABASE other;").steps[-1]
    assert again.definitions.objects == found.objects
    assert again.definitions.databases == ("d", "other")
    assert [(one.name, one.kind, one.detached) for one in found.objects] == [
        ("d.queue", "table", True),
        ("d.kept", "table", False),
        ("d.even", "view", False),
        ("d.v", "materialized view", False),
    ]
    assert "kafka_sasl_password = 'secret'" in found.objects[0].sql
    assert (scripts.warehouse.path / "catalog.json").stat().st_mode & 0o077 == 0


def test_passwords_are_not_shown(scripts: Scripts) -> None:
    registry = "'AvroConfluent', format_avro_schema_registry_url = 'http://ann:secret@r:80/x'"
    queue = QUEUE.replace("'JSONEachRow'", registry)
    scripts.run(f"{queue}{KEPT}{VIEW}")
    answered, asked = scripts.plan(
        "SHOW CREATE TABLE queue; SELECT create_table_query, engine_full FROM system.tables;",
        keeps=True,
    ).steps
    shown = str(answered.action.result) + str(asked.action.query)
    assert "http://ann:***@r:80/x" in shown
    assert "secret" not in shown


def test_a_script_may_declare_again_what_it_declared(scripts: Scripts) -> None:
    script = f"CREATE DATABASE d; USE d;{QUEUE}{KEPT}{VIEW}"
    scripts.run(script)
    plan = scripts.plan(script)
    assert [type(step.action) for step in plan.steps] == [SetViews]
    assert [query.id for query in plan.queries] == ["d.v"]
    scripts.run("USE d; DETACH TABLE queue;")
    assert [type(step.action) for step in scripts.plan(script).steps] == [Keep]


@pytest.mark.parametrize(
    ("script", "keeps", "code"),
    [
        (KEPT.replace("'x'", "'y'"), False, "DECLARED_OTHERWISE"),
        (VIEW.replace("s FROM", "'' AS s FROM"), False, "DECLARED_OTHERWISE"),
        (KEPT + KEPT, False, "TABLE_EXISTS"),
        (KEPT, True, "TABLE_EXISTS"),
    ],
)
def test_another_declaration_is_refused(
    script: str, keeps: bool, code: str, scripts: Scripts
) -> None:
    scripts.run(QUEUE + KEPT + VIEW)
    assert scripts.refused(script, keeps=keeps).startswith(code)
    scripts.plan("DROP TABLE kept;" + KEPT.replace("'x'", "'y'"))


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
        "DROP TABLE queue;": "StopViews Keep ReleaseViews",
        "DROP VIEW v;": "StopViews Keep ForgetView ReleaseViews",
        "DETACH TABLE v;": "StopViews Keep ReleaseViews",
        "RENAME TABLE kept TO other;": "StopViews Keep ReleaseViews",
        "SYSTEM STOP queue;": "Command",
        "OPTIMIZE TABLE kept;": "CompactTable",
        "OPTIMIZE TABLE kept FINAL;": "HoldViews CompactTable ReleaseViews",
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
    assert [type(one).__name__ for one in rest] == ["ExpireRows", "CompactTable", "ReleaseViews"]


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


def test_a_table_is_known_once_its_query_has_filled_it(scripts: Scripts) -> None:
    """Whoever runs the script again would else take it as it is."""
    scripts.run("CREATE TABLE t (n Int64) ENGINE = Log;")
    for script, actions in {
        "CREATE TABLE u ENGINE = Log AS SELECT n FROM t;": "MakeTable RunOnce Keep",
        "CREATE TABLE u ENGINE = Log EMPTY AS SELECT n FROM t;": "MakeTable Keep",
    }.items():
        steps = scripts.plan(script).steps
        assert " ".join(type(step.action).__name__ for step in steps) == actions
        assert "u" not in [one.name for one in steps[-2].definitions.objects]
        assert "u" in [one.name for one in steps[-1].definitions.objects]


def test_what_has_no_effect_is_told(scripts: Scripts) -> None:
    made = "(n Nullable(Int64)) ENGINE = MergeTree PARTITION BY n ORDER BY n"
    plan = scripts.plan(
        "SET insert_deduplicate = 1, output_format_json_quote_64bit_integers = 1;\n"
        f"CREATE TABLE t {made} SETTINGS index_granularity = 1, allow_nullable_key = 1;\n"
        "ALTER TABLE t MODIFY SETTING merge_with_ttl_timeout = 2;\n"
        "CREATE MATERIALIZED VIEW v ENGINE = Log SETTINGS disk = 3 AS SELECT n FROM t;\n"
        "SET optimize_on_insert = 1;"
    )
    keys = ("insert_deduplicate", "index_granularity", "merge_with_ttl_timeout", "disk")
    keys += ("optimize_on_insert",)
    assert len(plan.notes) == len(keys)
    for line, (key, note) in enumerate(zip(keys, plan.notes, strict=True), 1):
        assert note.startswith(f"{line}:")
        assert f"the setting '{key}' has no effect here" in note


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("CREATE MATERIALIZED VIEW f ENGINE = Log AS SELECT n FROM kept FINAL;", "FINAL in a mat"),
        ("SELECT n FROM (SELECT n FROM kept) FINAL;", "FINAL behind anything but a table"),
        ("CREATE TABLE e (n Int64) ENGINE = ReplacingMergeTree ORDER BY n % 2; "
         "SELECT n FROM e FINAL;", "a sorting key of plain columns"),
        ("TRUNCATE TABLE queue;", "no table at rest"),
        ("CREATE TABLE u (n Int64) ENGINE = MergeTree ORDER BY n SETTINGS index_granularty = 1;",
         "Did you mean 'index_granularity'?"),
        ("ALTER TABLE kept MODIFY SETTING nosuch = 1;", "the unknown option 'nosuch'"),
        (QUEUE.replace("queue", "other").replace(";", ", input_format_nosuch = 1;"),
         "the unknown option 'input_format_nosuch'"),
        ("SELECT n FROM kept FORMAT JSONEachRows;", "Did you mean 'JSONEachRow'?"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(script: str, reason: str, scripts: Scripts) -> None:
    assert reason in scripts.refused(QUEUE + KEPT + script)


def test_how_the_views_of_a_warehouse_run_is_explained(scripts: Scripts) -> None:
    scripts.run(QUEUE + KEPT + VIEW)
    told = CliRunner().invoke(app, ["explain", str(scripts.warehouse.path)])
    assert told.exit_code == 0
    assert "Query v" in told.stdout
    assert "exactly-once" in told.stdout
