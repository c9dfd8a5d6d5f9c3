"""ClickHouse's statements as they are read: one line each, good and bad."""

from __future__ import annotations

import pytest

from penstock.sql.actions import (
    AddColumn,
    DropColumn,
    ModifyColumn,
    RenameColumn,
    ResetTableOptions,
    SetTableOptions,
)
from penstock.sql.clickhouse import statements as own
from penstock.sql.clickhouse.grammar import statements
from penstock.sql.statements import (
    AlterTable,
    AlterView,
    CreateDatabase,
    CreateTable,
    CreateView,
    Describe,
    Drop,
    DropDatabase,
    Explain,
    Insert,
    Mistake,
    Note,
    Select,
    SetOption,
    Show,
    Use,
)

_KINDS = [
    ("CREATE DATABASE IF NOT EXISTS d ENGINE = Atomic COMMENT 'x'", CreateDatabase),
    ("DROP DATABASE IF EXISTS d SYNC", DropDatabase),
    ("USE d", Use),
    ("CREATE TABLE t (a UInt8) ENGINE = Memory", CreateTable),
    ("CREATE TABLE t AS u", own.CreateTableAs),
    ("CREATE TABLE t ENGINE = Memory AS SELECT 1", own.CreateTableAs),
    ("CREATE VIEW v AS SELECT 1", CreateView),
    ("CREATE MATERIALIZED VIEW v TO t AS SELECT 1", own.CreateMaterializedView),
    (
        "create materialized view v engine = Log populate as select 1",
        own.CreateMaterializedView,
    ),
    ("ALTER TABLE v MODIFY QUERY SELECT 2", AlterView),
    ("DROP TABLE IF EXISTS db.t", Drop),
    ("DETACH TABLE IF EXISTS t PERMANENTLY", own.Detach),
    ("ATTACH TABLE t", own.Attach),
    ("DETACH VIEW v", own.Detach),
    ("RENAME TABLE a TO b, c TO d", own.RenameTables),
    ("TRUNCATE TABLE IF EXISTS t", own.Truncate),
    ("OPTIMIZE TABLE t FINAL", own.Optimize),
    ("SYSTEM PAUSE db.q", own.System),
    ("SYSTEM STOP ALL BACKGROUND", own.System),
    ("EXISTS TABLE t", own.Exists),
    ("SHOW TABLES FROM d LIKE 'a%'", Show),
    ("SHOW CREATE TABLE t", Show),
    ("DESC TABLE t", Describe),
    ("EXPLAIN PLAN SELECT 1", Explain),
    ("SET a = 1, b = 'x'", own.SetSettings),
    ("SET 'pipeline.name' = 'x'", SetOption),
    ("SELECT 1 FORMAT JSON", Select),
    ("WITH 1 AS one SELECT one", Select),
    ("INSERT INTO t SELECT 1", Insert),
    ("INSERT INTO t (a, b) VALUES (1, 'a;b')", own.InsertRows),
    ('INSERT INTO t FORMAT JSONEachRow {"a": "x;y\'"}', own.InsertRows),
]


@pytest.mark.parametrize(("text", "kind"), _KINDS, ids=[text for text, _ in _KINDS])
def test_is_read_as(text: str, kind: type) -> None:
    (statement,) = statements(text)
    assert isinstance(statement, kind), statement


def test_a_script_in_order_with_comments_and_data() -> None:
    script = """
# a comment
INSERT INTO t FORMAT JSONEachRow {"a": "it's; not the end"}
{"a": 2};
SELECT 1; -- another
/* and ; another */ SELECT 'it\\'s', "q", `b`, $$x;y$$;
"""
    first, second, third = statements(script)
    assert isinstance(first, own.InsertRows)
    assert first.data == '{"a": "it\'s; not the end"}\n{"a": 2}'
    assert isinstance(second, Select)
    assert (second.span.line, second.text) == (5, "SELECT 1")
    assert isinstance(third, Select)
    assert [item.name for item in third.query.selects] == ["it's", "q", "b", "x;y"]


def test_on_cluster_is_told_as_without_effect() -> None:
    note, table = statements("CREATE TABLE t ON CLUSTER c (a UInt8) ENGINE = Memory")
    assert isinstance(note, Note)
    assert "ON CLUSTER c" in note.text
    assert isinstance(table, CreateTable)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("CREATE TABLE t UUID '61f0c404' (a UInt8) ENGINE = Memory", "UUID has"),
        ("CREATE MATERIALIZED VIEW v UUID '61f0c404' TO t AS SELECT 1 AS a", "UUID has"),
        ("CREATE MATERIALIZED VIEW v TO t SQL SECURITY NONE AS SELECT 1 AS a", "SQL SECURITY have"),
        (
            "CREATE MATERIALIZED VIEW v TO t (a UInt8) DEFINER = 'x' SQL SECURITY DEFINER AS "
            "SELECT 1 AS a",
            "SQL SECURITY have",
        ),
        ("CREATE VIEW v SQL SECURITY INVOKER AS SELECT 1 AS a", "SQL SECURITY have"),
    ],
)
def test_what_is_for_servers_and_users_is_told_as_without_effect(statement: str, said: str) -> None:
    note, created = statements(statement)
    assert isinstance(note, Note)
    assert f"{said} no effect" in note.text
    assert not isinstance(created, Mistake)


def test_a_comment_may_stand_behind_the_query() -> None:
    query = "SELECT 1 AS a"
    table, view, plain = statements(
        f"CREATE TABLE t ENGINE = Memory AS {query} COMMENT 'x';"
        f"CREATE MATERIALIZED VIEW v TO t AS {query} COMMENT 'x';"
        f"CREATE VIEW w AS {query} COMMENT 'x';"
    )
    assert isinstance(table, own.CreateTableAs)
    assert table.table.comment == "x"
    assert isinstance(view, own.CreateMaterializedView)
    assert isinstance(plain, CreateView)
    assert (view.written, plain.text) == (query, query)


def test_the_old_form_of_modify_column() -> None:
    (statement,) = statements("ALTER TABLE t ALTER COLUMN IF EXISTS n.a TYPE UInt32 DEFAULT 1")
    (same,) = statements("ALTER TABLE t MODIFY COLUMN IF EXISTS n.a UInt32 DEFAULT 1")
    assert isinstance(statement, AlterTable)
    assert isinstance(same, AlterTable)
    (old,), (new,) = statement.actions, same.actions
    assert isinstance(old, ModifyColumn)
    assert isinstance(new, ModifyColumn)
    assert (old.column.name, old.column.type) == (new.column.name, new.column.type)


def _table(columns: str, engine: str = "ENGINE = Memory") -> CreateTable:
    (statement,) = statements(f"CREATE TABLE t ({columns}) {engine}")
    assert isinstance(statement, CreateTable), getattr(statement, "error", statement)
    return statement


def test_columns() -> None:
    table = _table(
        "a UInt8 DEFAULT 1 COMMENT 'x' CODEC(Delta, ZSTD(1)), b String MATERIALIZED toString(a), "
        "c ALIAS a + 1, d String EPHEMERAL, n Nested(x UInt8, y String), `e.z` Int8 NULL, "
        "f DEFAULT 5, INDEX i a TYPE minmax GRANULARITY 1, PROJECTION p (SELECT a ORDER BY a), "
        "CONSTRAINT k ASSUME a > 0"
    ).table
    found = [(c.name, c.kind, c.default_kind, c.hidden) for c in table.columns]
    assert found == [
        ("a", "physical", "DEFAULT", False),
        ("b", "physical", "MATERIALIZED", True),
        ("c", "computed", "", True),
        ("d", "physical", "EPHEMERAL", True),
        ("n.x", "physical", "", False),
        ("n.y", "physical", "", False),
        ("e.z", "physical", "", False),
        ("f", "physical", "DEFAULT", False),
    ]
    assert table.columns[0].comment == "x"
    assert table.columns[6].type is not None
    assert table.columns[6].type.nullable


def test_engine_and_clauses() -> None:
    table = _table(
        "d Date, v UInt8",
        "ENGINE = ReplicatedReplacingMergeTree('/p', 'r', v) PARTITION BY toYYYYMM(d) "
        "ORDER BY (d, v) PRIMARY KEY d TTL d + INTERVAL 1 MONTH DELETE "
        "SETTINGS index_granularity = 8192, storage_policy = 'x' COMMENT 'c'",
    ).table
    assert {option.key: option.value for option in table.options} == {
        "connector": "merge-tree",
        "engine": "ReplicatedReplacingMergeTree",
        "engine.1": "'/p'",
        "engine.2": "'r'",
        "engine.3": "v",
        "partition_by": "toYYYYMM(d)",
        "order_by": "(d, v)",
        "primary_key": "d",
        "ttl": "d + INTERVAL 1 MONTH DELETE",
        "index_granularity": "8192",
        "storage_policy": "x",
    }
    assert table.comment == "c"


@pytest.mark.parametrize(
    ("engine", "options"),
    [
        ("Kafka('b', 't', grp, JSONEachRow, '\\n')", ["b", "t", "grp", "JSONEachRow", "\n"]),
        ("Kafka()", []),
        ("Kafka", []),
    ],
)
def test_arguments_of_kafka(engine: str, options: list[str]) -> None:
    table = _table("a UInt8", f"ENGINE = {engine}").table
    values = [option.value for option in table.options if option.key.startswith("engine.")]
    assert values == options


def test_a_named_collection_with_overrides() -> None:
    table = _table("a UInt8", "ENGINE = Kafka(mine, kafka_format = 'CSV')").table
    assert table.option("engine.collection") == "mine"
    assert table.option("kafka_format") == "CSV"


def test_actions_of_alter_table() -> None:
    (statement,) = statements(
        "ALTER TABLE t ADD COLUMN IF NOT EXISTS c Nullable(String) AFTER b, DROP COLUMN d, "
        "MODIFY COLUMN e UInt64 DEFAULT 5 FIRST, RENAME COLUMN a TO b, MODIFY SETTING x = 1, "
        "RESET SETTING y"
    )
    assert isinstance(statement, AlterTable)
    kinds = [AddColumn, DropColumn, ModifyColumn, RenameColumn, SetTableOptions, ResetTableOptions]
    assert [type(action) for action in statement.actions] == kinds
    added, _, modified, *_ = statement.actions
    assert isinstance(added, AddColumn)
    assert (added.after, added.if_not_exists) == ("b", True)
    assert isinstance(modified, ModifyColumn)
    assert modified.after == ""


_MISTAKES = [
    ("GRANT ALL ON *.* TO x", "UNSUPPORTED_STATEMENT", "1:1"),
    ("CREATE DICTIONARY d", "UNSUPPORTED_STATEMENT", "1:1"),
    ("CREATE OR REPLACE DATABASE d", "SYNTAX_ERROR", "1:19"),
    ("CREATE OR REPLACE TABLE IF NOT EXISTS t (a UInt8)", "SYNTAX_ERROR", "1:25"),
    ("REPLACE VIEW v AS SELECT 1", "UNSUPPORTED_STATEMENT", "1:1"),
    ("CREATE TEMPORARY TABLE t (a UInt8)", "UNSUPPORTED_CLAUSE", "1:1"),
    ("CREATE TABLE t (d Date) ENGINE = MergeTree(d, (d), 8192)", "UNSUPPORTED_CLAUSE", "1:52"),
    ("CREATE TABLE t (a UInt8,, b UInt8)", "SYNTAX_ERROR", "1:25"),
    ("CREATE TABLE t (a UInt8, a UInt8) ENGINE = Memory", "DUPLICATE_COLUMN", "1:26"),
    ("CREATE TABLE t (__a UInt8) ENGINE = Memory", "RESERVED_NAME", "1:17"),
    ("CREATE TABLE t (a) ENGINE = Memory", "SYNTAX_ERROR", "1:18"),
    ("CREATE TABLE t (a UInt8, CONSTRAINT c CHECK a > 1)", "UNSUPPORTED_CLAUSE", "1:26"),
    ("CREATE MATERIALIZED VIEW v AS SELECT 1", "SYNTAX_ERROR", "1:31"),
    ("CREATE MATERIALIZED VIEW v REFRESH EVERY 1 HOUR AS SELECT 1", "UNSUPPORTED_CLAUSE", "1:28"),
    ("ALTER TABLE t FREEZE PARTITION 1", "UNSUPPORTED_CLAUSE", "1:15"),
    ("SELECT 1 1", "SYNTAX_ERROR", "1:10"),
    ("SELECT", "SYNTAX_ERROR", "1:1"),
    ("OPTIMIZE TABLE t DEDUPLICATE", "UNSUPPORTED_CLAUSE", "1:18"),
    ("ATTACH TABLE t (a UInt8) ENGINE = Log", "UNSUPPORTED_CLAUSE", "1:16"),
    ("SYSTEM RELOAD CONFIG", "SYNTAX_ERROR", "1:8"),
    ("DROP USER x", "SYNTAX_ERROR", "1:6"),
    ("USE", "SYNTAX_ERROR", "1:1"),
    ("CREATE TABLE t (a UInt8) ENGINE = Log ENGINE = Log", "UNSUPPORTED_CLAUSE", "1:48"),
]


@pytest.mark.parametrize(("text", "code", "place"), _MISTAKES, ids=[m[0] for m in _MISTAKES])
def test_mistakes_have_a_code_and_a_place(text: str, code: str, place: str) -> None:
    first, second = statements(f"{text};\nSELECT 2")
    assert isinstance(first, Mistake), first
    assert (first.error.code, str(first.error.span)) == (code, place), first.error
    assert isinstance(second, Select), "the script goes on behind it"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("CREATE TABLE t (a Uint32) ENGINE = Memory", "Did you mean UInt32?"),
        ("CREATE TABLE t (a Nullable(Sting)) ENGINE = Memory", "Did you mean String?"),
        ("ALTER TABLE t MATERIALIZE Bb", "ALTER TABLE … MATERIALIZE Bb is not supported"),
    ],
)
def test_mistakes_in_the_words_of_the_script(text: str, says: str) -> None:
    (found,) = statements(text)
    assert isinstance(found, Mistake)
    assert says in str(found.error)
