"""Scripts with tables at rest, planned: their steps, and what the warehouse knows after them."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from penstock.catalog.definitions import Definitions
from penstock.catalog.warehouse import Warehouse
from penstock.connectors.merge_tree import MergeTreeTable
from penstock.plan.steps import ChangeColumns, Keep, MakeTable, SetViews
from penstock.plan.walk import scans
from tests.plan.warehouse import KEPT, QUEUE, VIEW

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plan.warehouse import Scripts


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


def test_types_are_shown_as_they_were_written(scripts: Scripts) -> None:
    columns = {
        "a": "LowCardinality(Nullable(String))",
        "b": "Array(LowCardinality(String))",
        "c": "Map(LowCardinality(String), UInt8)",
        "d": "SimpleAggregateFunction(any, LowCardinality(String))",
    }
    listed = ", ".join(f"{name} {type_}" for name, type_ in columns.items())
    scripts.run(f"CREATE TABLE t ({listed}) ENGINE = AggregatingMergeTree ORDER BY b;")
    (shown,) = scripts.plan("SHOW CREATE TABLE t;").results[0].rows[0]
    told = {row[0]: row[1] for row in scripts.plan("DESCRIBE TABLE t;").results[0].rows}
    assert told == columns
    assert all(f"`{name}` {type_}" in shown for name, type_ in columns.items())


def test_settings_of_a_session_are_not_those_of_a_kafka_table(scripts: Scripts) -> None:
    made = QUEUE.replace(";", "")
    plan = scripts.plan(
        f"{made}, max_threads = 2, kafka_num_consumers = 1000\n"
        "SETTINGS kafka_disable_num_consumers_limit = 1, stream_flush_interval_ms = 3;"
        "SHOW CREATE TABLE queue;"
    )
    assert [note.partition("'")[2].partition("'")[0] for note in plan.notes] == [
        "max_threads",
        "stream_flush_interval_ms",
    ]
    (shown,) = plan.results[0].rows[0]
    assert "max_threads" not in shown
    assert "kafka_num_consumers = 1000" in shown
    assert "UNKNOWN_OPTION" in scripts.refused(f"{made}, max_treads = 2;")


def test_what_has_no_effect_is_told(scripts: Scripts) -> None:
    made = "(n Nullable(Int64)) ENGINE = MergeTree PARTITION BY n ORDER BY n"
    plan = scripts.plan(
        "SET insert_deduplicate = 1, output_format_json_quote_64bit_integers = 1;\n"
        f"CREATE TABLE t {made} SETTINGS index_granularity = 1, allow_nullable_key = 1;\n"
        "ALTER TABLE t MODIFY SETTING merge_with_ttl_timeout = 2;\n"
        "CREATE MATERIALIZED VIEW v ENGINE = Log SETTINGS disk = 3 AS SELECT n FROM t;\n"
        "SET optimize_on_insert = 1;\n"
        "SYSTEM FLUSH LOGS;"
    )
    assert "SYSTEM FLUSH LOGS has no effect" in plan.notes[-1]
    keys = ("insert_deduplicate", "index_granularity", "merge_with_ttl_timeout", "disk")
    keys += ("optimize_on_insert",)
    for line, (key, note) in enumerate(zip(keys, plan.notes[:-1], strict=True), 1):
        assert note.startswith(f"{line}:")
        assert f"the setting '{key}' has no effect here" in note


def test_how_clickhouse_finds_rows_is_its_own(scripts: Scripts) -> None:
    scripts.run(KEPT)
    plan = scripts.plan(
        "ALTER TABLE kept ADD INDEX i (n, s) TYPE minmax GRANULARITY 4, ADD COLUMN c Int8, "
        "MATERIALIZE INDEX i;\nALTER TABLE kept DROP PROJECTION IF EXISTS p;"
    )
    assert [step.action.added for step in plan.steps if isinstance(step.action, ChangeColumns)] == [
        (("c", "TINYINT"),)
    ]
    told = ("ADD INDEX", "MATERIALIZE INDEX", "DROP PROJECTION")
    for words, note in zip(told, plan.notes, strict=True):
        assert f"ALTER TABLE … {words} has no effect" in note
    assert "UNKNOWN_TABLE" in scripts.refused("ALTER TABLE nowhere ADD INDEX i n TYPE minmax;")


def test_how_long_old_files_stay_is_a_setting(scripts: Scripts) -> None:
    """A week; a day at least, also where a script asks for ClickHouse's minutes."""
    made = "CREATE TABLE t (n Int64) ENGINE = MergeTree ORDER BY n"
    day = 24 * 60 * 60
    for setting, seconds, notes in (
        ("", 7 * day, 0),
        (" SETTINGS old_parts_lifetime = 480", day, 1),
        (f" SETTINGS old_parts_lifetime = {2 * day}", 2 * day, 0),
    ):
        plan = scripts.plan(f"{made}{setting};")
        action = plan.steps[0].action
        assert isinstance(action, MakeTable)
        assert (action.lifetime_s, len(plan.notes)) == (seconds, notes)
    altered = "ALTER TABLE t MODIFY SETTING old_parts_lifetime = 1;"
    plan = scripts.plan(f"{made}; {altered}")
    change = next(s.action for s in plan.steps if isinstance(s.action, ChangeColumns))
    assert change.lifetime_s == day
    (note,) = plan.notes
    assert "'old_parts_lifetime' is 1: files are kept for 86400 seconds at least" in note
    assert "whole number" in scripts.refused(f"{made} SETTINGS old_parts_lifetime = 'x';")


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("CREATE MATERIALIZED VIEW f ENGINE = Log AS SELECT n FROM kept FINAL;", "FINAL in a mat"),
        ("SELECT n FROM (SELECT n FROM kept) FINAL;", "FINAL behind anything but a table"),
        ("CREATE TABLE e (n Int64) ENGINE = ReplacingMergeTree ORDER BY gone(n); "
         "SELECT n FROM e FINAL;", "gone"),
        ("CREATE TABLE e (n Int64) ENGINE = ReplacingMergeTree ORDER BY map(n, 1); "
         "OPTIMIZE TABLE e FINAL;", "Rows of `e` cannot be merged by `map(n, 1)`"),
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


def test_definitions_are_on_the_disk_before_they_replace_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine that loses its power finds the old ones or the new."""
    warehouse, synced = Warehouse(tmp_path), []

    def sync(_: int) -> None:
        staged = json.loads((tmp_path / "catalog.tmp").read_text())
        synced.append((staged["databases"], warehouse.read().databases))

    warehouse.write(Definitions(("old",)))
    monkeypatch.setattr(os, "fsync", sync)
    warehouse.write(Definitions(("new",)))
    assert synced == [(["new"], ("old",))]
    assert warehouse.read().databases == ("new",)


def test_what_a_key_is_made_of_is_not_summed(scripts: Scripts) -> None:
    """As in ClickHouse 26.9: the row that was inserted first says what it is."""
    made = "CREATE TABLE k (s String, n UInt32, v UInt64) ENGINE = SummingMergeTree"
    plan = scripts.plan(f"{made} ORDER BY (lower(s), n % 10); SELECT * FROM k FINAL;")
    source = scans(plan.queries[0].input)[0].spec.source
    assert isinstance(source, MergeTreeTable)
    assert source.merge
    assert source.merge.key == ("__key0", "__key1")
    assert "`s`" in dict(source.merge.computed)["__key0"]
    found = {name: sql.partition("(")[2][:6] for name, sql in source.merge.merged}
    assert found == {"s": "min_by", "n": "min_by", "v": "pmod(C"}
