"""Names that need quotes: what is kept under them, and shown, is read as the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from penstock.catalog.definitions import Definitions
from penstock.catalog.paths import Path
from penstock.plan.clickhouse.serve import views_of
from penstock.plan.walk import scans
from penstock.sql.clickhouse.dialect import ClickHouse

if TYPE_CHECKING:
    from tests.plan.warehouse import Scripts

_WORDS = sorted({word for key in ClickHouse.Tokenizer.KEYWORDS for word in key.split()})
_TEXTS = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=6)
NAMES = st.one_of(
    _TEXTS,
    st.text("ab.`'\"\\ -$1\n", min_size=1, max_size=5),
    st.sampled_from([*_WORDS, *(word.lower() for word in _WORDS)]),
)
_M = "ENGINE = MergeTree ORDER BY n"
_FOUR = f"""CREATE NAMED COLLECTION c AS kafka_format = 'CSV'; CREATE TABLE t (n Int64) {_M};
CREATE MATERIALIZED VIEW v {_M} AS SELECT n FROM t;
"""
# What needs each of them, and what drops it: the table of `v` comes before the view.
_USES = [
    ("CREATE TABLE x (n Int8) ENGINE = Kafka(c);", "DROP NAMED COLLECTION c;"),
    ("SELECT n FROM t;", "DROP TABLE t;"),
    ("SELECT n FROM v;", "DROP TABLE v;"),
    ("RENAME TABLE v TO w;", "DROP VIEW v;"),
]
_VIEW_AT = 3
_SHOWN = [
    ("`events-raw`", "`events-raw`"),
    ("`a.b`", "`a.b`"),
    ("`2024`", "`2024`"),
    ("`a``b`", r"`a\`b`"),
    ('"a\\"b"', '`a"b`'),
    ("`a\\tb\\\\`", r"`a\tb\\`"),
    ("`Ünï`", "`Ünï`"),
    ("`Select`", "`Select`"),
    ("`top`", "`top`"),
    ("`order`", "order"),
    ("`_x1`", "_x1"),
]


def _written(name: str) -> str:
    """A name in the quotes that are not ours."""
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _survive(scripts: Scripts, script: str) -> Definitions:
    """What a script leaves, once another one has loaded it and kept it again."""
    scripts.warehouse.write(Definitions())
    left = []
    for one in (script, "CREATE DATABASE another;"):
        left.append(scripts.plan(one, keeps=True).steps[-1].definitions)
        scripts.warehouse.write(left[-1])
    assert left[1].objects == left[0].objects
    return left[1]


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(database=NAMES, table=NAMES, column=NAMES, other=NAMES)
def test_any_name_survives(
    scripts: Scripts, database: str, table: str, column: str, other: str
) -> None:
    if database in ("default", "default_database", "system") or column.startswith("__"):
        return
    d, t, c, x = map(_written, (database, table, column, other))
    many = f"({c} Int64 PRIMARY KEY, `{len(column)}.x` Array(Tuple(a Int8, {x} String)), "
    many += f"`{len(column)}.y` Int64 DEFAULT {c} + 1) ENGINE = ReplicatedReplacingMergeTree({c})"
    found = _survive(
        scripts,
        f"CREATE DATABASE {d}; CREATE TABLE {t} (n Int64) {_M}; CREATE TABLE {d}.{t} {many};"
        f"USE {d}; CREATE VIEW {_written('v' + other)} ({c}) AS SELECT {c} FROM {t};"
        f"CREATE MATERIALIZED VIEW {_written('m' + other)} {_M} AS SELECT {c} AS n FROM {t};"
        f"ALTER TABLE {_written('m' + other)} MODIFY QUERY SELECT {c} + 1 AS n FROM {t};"
        f"CREATE NAMED COLLECTION {t} AS {c} = 'x', kafka_format = 'CSV';",
    )
    assert found.databases == (database, "another")
    names = [one.name for one in found.objects if one.kind == "table"]
    assert names[:2] == [
        Path("default_catalog", "default_database", table).shown,
        Path("default_catalog", database, table).shown,
    ]


@pytest.mark.parametrize(("written", "shown"), _SHOWN)
def test_names_are_shown_as_clickhouse_does(scripts: Scripts, written: str, shown: str) -> None:
    """The words of ClickHouse 26.9."""
    columns = f"n Int64, {written} Tuple({written} Int8)"
    (result,) = scripts.plan(
        f"CREATE TABLE {written} ({columns}) {_M}; SHOW CREATE TABLE {written};"
    ).results
    quoted = shown if shown.startswith("`") else f"`{shown}`"
    text = f"CREATE TABLE {shown}\n(\n    `n` Int64,\n    {quoted} Tuple({shown} Int8)\n)"
    assert result.rows[0][0].startswith(text)


@pytest.mark.parametrize(
    "script",
    [
        f"CREATE TABLE t (n Int64) {_M}; RENAME TABLE t TO `t-old`;",
        f"CREATE TABLE `a-b` (n Int64) {_M}; CREATE TABLE c AS `a-b`;",
        f"CREATE TABLE t (n Int64) {_M}; CREATE TABLE u (n Int64) {_M};"
        "CREATE MATERIALIZED VIEW `v.1` ON CLUSTER c TO u AS SELECT n FROM t;"
        "RENAME TABLE `v.1` TO `v.2`;",
        f"CREATE TABLE t (n Int64) {_M}; CREATE TABLE u (n Int64) {_M};"
        "CREATE MATERIALIZED VIEW v ON CLUSTER c TO u AS SELECT n FROM t;",
        "CREATE TABLE t (n Int64, v UInt8) ENGINE = ReplicatedReplacingMergeTree('/c/t', '{r}', v) "
        "ORDER BY n;",
        "CREATE TABLE t (n Int64) ENGINE = SharedMergeTree('/c/t', '{r}') ORDER BY n;",
        "CREATE TABLE t (n Int64, `a b` Int64, c Int64) ENGINE = SummingMergeTree((`a b`, c)) "
        "ORDER BY n;",
        "CREATE TABLE t (n Int64, k Int8, a Int64) ENGINE = SummingMergeTree((a)) ORDER BY (n, k) "
        "PRIMARY KEY n COMMENT 'it''s';",
        "CREATE TABLE t (n Int64, t Tuple(`2` Int8, `1` Int8)) ENGINE = MergeTree ORDER BY n;",
        f"CREATE TABLE `named collection c` (n Int64) {_M}; CREATE NAMED COLLECTION c AS a = 1;",
        "CREATE NAMED COLLECTION `c-1` AS kafka_broker_list = 'a:1', kafka_topic_list = 't', "
        "kafka_group_name = 'g', kafka_format = 'CSV';"
        "CREATE TABLE q (n Int64) ENGINE = Kafka(`c-1`);",
    ],
)
def test_definitions_survive(scripts: Scripts, script: str) -> None:
    made = script.count("CREATE TABLE") + script.count("CREATE MAT") + script.count("CREATE NAMED")
    assert len(_survive(scripts, script).objects) == made


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("CREATE TABLE my table (n Int64) ENGINE = Log", "Syntax error at `table`"),
        ("CREATE TABLE 'x", "A quoted text, quoted name or comment is not closed"),
        ("SELECT 1", "It is no definition"),
    ],
)
@pytest.mark.parametrize("at", range(4))
def test_what_cannot_be_read_is_never_lost(
    scripts: Scripts, sql: str, reason: str, at: int
) -> None:
    """Nor does it hinder others: it is named to whoever needs it, and can be dropped."""
    scripts.run(_FOUR)
    before = scripts.warehouse.read()
    broken = replace(before.objects[at], sql=sql)
    scripts.warehouse.write(replace(before, objects=(*before.objects[:at], broken)))
    scripts.run(f"CREATE TABLE u (n Int64) {_M}; INSERT INTO u VALUES (1); SHOW TABLES;")
    assert broken in scripts.warehouse.read().objects
    uses, drop = _USES[at]
    said = scripts.refused(uses, keeps=True)
    assert reason in said
    assert broken.name.removeprefix("named collection ") in said
    waits = views_of(scripts.warehouse, scripts.overrides, ()).waiting
    assert [reason in why for name, why in waits if name == "v"] == [True] * (at == _VIEW_AT)
    scripts.run(drop)
    left = {one.name for one in before.objects[:at]} - {broken.name}
    assert {one.name for one in scripts.warehouse.read().objects} == {*left, "u"}
    scripts.run(_FOUR)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (f"CREATE TABLE `` (n Int64) {_M};", "a name is expected"),
        ("CREATE NAMED COLLECTION c AS a = 1; ALTER NAMED COLLECTION c DELETE a;", "be empty"),
        ("CREATE TABLE t (n Int8) ENGINE = ReplacingMergeTree(n + 1) ORDER BY n;", "not `n + 1`"),
    ],
)
def test_what_has_no_name_is_refused(scripts: Scripts, script: str, reason: str) -> None:
    assert reason in scripts.refused(script)


def test_dead_letters_of_tables_in_databases(scripts: Scripts) -> None:
    queue = "q (n Int64) ENGINE = Kafka('h:9092', 't', 'g', 'CSV')"
    mode = "SETTINGS kafka_handle_error_mode = 'dead_letter_queue'"
    script = f"CREATE DATABASE d; CREATE TABLE {queue} {mode}; CREATE TABLE d.{queue} {mode};"
    (query,) = scripts.plan(f"{script} SELECT count() FROM system.dead_letter_queue;").queries
    assert len({scan.table for scan in scans(query.input)}) == 2
