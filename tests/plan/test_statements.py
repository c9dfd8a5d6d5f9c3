"""What statements do to the names of a script: databases, LIKE, AS, ALTER, SHOW, functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.catalog.catalog import Overrides
from penstock.errors import PenstockError
from penstock.plan.script import plan_script
from penstock.plan.walk import scans
from penstock.sql.parse import parse
from tests.plan.statements import KAFKA, TABLES, columns, plan, rows

if TYPE_CHECKING:
    from pathlib import Path

SWALLOWS = "CREATE TABLE shown (n INT) WITH ('connector' = 'blackhole');"


def test_names_mean_what_is_in_use() -> None:
    script = f"""CREATE DATABASE d; CREATE TABLE d.t (z INT) WITH ({KAFKA});
    CREATE CATALOG c WITH ('type' = 'generic_in_memory', 'default-database' = 'first');
    CREATE TABLE c.`first`.t (y INT) WITH ({KAFKA});
    INSERT INTO s SELECT a FROM t;
    USE d; INSERT INTO default_database.s SELECT z FROM t;
    CREATE VIEW v AS SELECT z FROM t;
    USE CATALOG c; INSERT INTO default_catalog.default_database.s SELECT y FROM t;
    INSERT INTO default_catalog.default_database.s SELECT z FROM default_catalog.d.v;
    INSERT INTO t SELECT y FROM c.`first`.t;
    INSERT INTO default_catalog.d.t SELECT y FROM `first`.t;"""
    found = plan(script)
    assert [q.id for q in found.queries] == ["s", "s#2", "s#3", "s#4", "c.first.t", "d.t"]
    assert found.tables == ("t", "s", "d.t", "c.first.t")


def test_a_view_keeps_what_its_names_meant() -> None:
    script = f"""CREATE DATABASE d; CREATE TABLE d.t (a STRING) WITH ({KAFKA});
    CREATE VIEW v AS WITH q AS (SELECT a FROM t), t AS (SELECT a FROM q) SELECT a FROM t;
    USE d; DESCRIBE default_database.v;"""
    assert rows(script) == [("a", "INT", "TRUE", "", "", "")]


def test_temporary_hides_permanent() -> None:
    script = f"""CREATE TEMPORARY TABLE t (z INT) WITH ({KAFKA}); DESCRIBE t;"""
    assert [row[0] for row in rows(script)] == ["z"]
    dropped = script + "DROP TEMPORARY TABLE t; DESCRIBE t;"
    assert [row[0] for row in rows(dropped)] == ["a", "b", "ts", "c", "m"]


LIKE = {
    "LIKE t": {"a": "INT", "b": "STRING", "ts": "TIMESTAMP(3)", "c": "INT", "m": "BIGINT"},
    "LIKE t (EXCLUDING GENERATED EXCLUDING METADATA)": {
        "a": "INT",
        "b": "STRING",
        "ts": "TIMESTAMP(3)",
    },
    "(d INT, c AS a * 2.5) LIKE t (OVERWRITING GENERATED EXCLUDING METADATA)": {
        "a": "INT",
        "b": "STRING",
        "ts": "TIMESTAMP(3)",
        "c": "DECIMAL(13, 1)",
        "d": "INT",
    },
}


@pytest.mark.parametrize(("clause", "expected"), LIKE.items())
def test_like_takes_over_columns(clause: str, expected: dict[str, str]) -> None:
    assert columns(f"CREATE TABLE l {clause}; DESCRIBE l") == expected


def test_like_takes_over_options() -> None:
    text = rows("CREATE TABLE l WITH ('topic' = 'u') LIKE t; SHOW CREATE TABLE l")[0][0]
    assert "'topic' = 'u'" in text and "WATERMARK FOR `ts`" in text and "COMMENT" not in text
    script = f"CREATE TABLE l WITH ({KAFKA}) LIKE t (EXCLUDING ALL); SHOW CREATE TABLE l"
    assert "WATERMARK" not in rows(script)[0][0]


def test_as_takes_the_columns_of_the_query() -> None:
    script = f"""CREATE TABLE w (extra STRING, b STRING, n AS a + 1) WITH ({KAFKA})
    AS SELECT a, CAST(b AS VARCHAR(3)) AS b FROM t; DESCRIBE w"""
    assert columns(script) == {"extra": "STRING", "n": "INT", "a": "INT", "b": "STRING"}
    (query,) = plan(script).queries
    assert (query.id, [name for name, _ in query.columns]) == ("w", ["extra", "a", "b"])
    order = f"CREATE TABLE w (b, a) WITH ({KAFKA}) AS SELECT a, b FROM t; DESCRIBE w"
    assert list(columns(order)) == ["b", "a"]


ALTERED = {
    "ADD (d INT FIRST, e STRING AFTER a)": ["d", "a", "e", "b", "ts", "c", "m"],
    "MODIFY b INT FIRST": ["b", "a", "ts", "c", "m"],
    "DROP b": ["a", "ts", "c", "m"],
    "DROP (b, c)": ["a", "ts", "m"],
    "RENAME b TO z": ["a", "z", "ts", "c", "m"],
    "DROP WATERMARK": ["a", "b", "ts", "c", "m"],
    "MODIFY WATERMARK FOR ts AS ts": ["a", "b", "ts", "c", "m"],
}


@pytest.mark.parametrize(("action", "expected"), ALTERED.items())
def test_alter_table(action: str, expected: list[str]) -> None:
    assert [row[0] for row in rows(f"ALTER TABLE t {action}; DESCRIBE t")] == expected


def test_alter_options_and_names() -> None:
    script = """ALTER TABLE t SET ('topic' = 'u', 'scan.startup.mode' = 'latest-offset');
    ALTER TABLE t RESET ('scan.startup.mode'); ALTER TABLE t RENAME TO u; SHOW CREATE TABLE u"""
    text = rows(script)[0][0]
    assert "`u` (" in text and "'topic' = 'u'" in text and "startup" not in text
    view = """CREATE VIEW v AS SELECT a FROM t; ALTER VIEW v AS SELECT b FROM t;
    ALTER VIEW v RENAME TO w; DESCRIBE w"""
    assert columns(view) == {"b": "STRING"}


def test_statements_before_alter_keep_what_they_saw() -> None:
    script = """INSERT INTO s SELECT a FROM t; ALTER TABLE s SET ('topic' = 'other');
    INSERT INTO s SELECT a FROM t"""
    targets = [query.spec.target.describe() for query in plan(script).queries]
    assert [target.split("'")[1] for target in targets] == ["t", "other"]


SHOWN = {
    "SHOW TABLES": [("s",), ("t",)],
    "SHOW TABLES LIKE 'S'": [],
    "SHOW TABLES ILIKE 'S'": [("s",)],
    "SHOW TABLES NOT LIKE '_'": [],
    "CREATE VIEW v AS SELECT a FROM t; SHOW VIEWS": [("v",)],
    "CREATE DATABASE d; SHOW DATABASES": [("d",), ("default_database",)],
    "SHOW CATALOGS": [("default_catalog",)],
    "SHOW CURRENT CATALOG": [("default_catalog",)],
    "CREATE DATABASE d; USE d; SHOW CURRENT DATABASE": [("d",)],
    "SHOW FUNCTIONS LIKE 'upp%'": [("upper",)],
    "SHOW MODULES": [("core",)],
    "SHOW JARS": [],
    "SET 'pipeline.name' = 'x'; SET 'spark.some.password' = 'y'; SET": [
        ("pipeline.name", "x"),
        ("spark.some.password", "***"),
    ],
    "SHOW COLUMNS FROM t LIKE 'm'": [
        ("m", "BIGINT", "TRUE", "", "METADATA FROM 'offset' VIRTUAL", "")
    ],
}


@pytest.mark.parametrize(("script", "expected"), SHOWN.items())
def test_show(script: str, expected: list[tuple[str, ...]]) -> None:
    assert rows(script) == expected


def test_show_create_table_can_be_read_again_and_hides_secrets() -> None:
    text = rows("SHOW CREATE TABLE t")[0][0]
    assert "'properties.sasl.jaas.config' = '***'" in text and "secret" not in text
    again = plan_script(parse(f"{text}; SHOW CREATE TABLE t"), name="again")
    assert again.results[0].rows[0][0] == text


def test_explain_answers_and_runs_nothing() -> None:
    found = plan("EXPLAIN CHANGELOG_MODE INSERT INTO s SELECT a FROM t")
    assert found.queries == ()
    assert "Scan t" in found.results[0].rows[0][0]


def test_explain_a_query() -> None:
    found = plan("EXPLAIN PLAN FOR SELECT b, COUNT(*) FROM t GROUP BY b")
    assert "Aggregate" in found.results[0].rows[0][0]


def test_hints_go_over_the_options_for_one_use() -> None:
    script = """INSERT INTO s /*+ OPTIONS('topic' = 'u') */
    SELECT a FROM t /*+ OPTIONS('topic' = 'v') */; INSERT INTO s SELECT a FROM t"""
    first, second = plan(script).queries
    assert "'u'" in first.spec.target.describe() and "'t'" in second.spec.target.describe()


def test_values_of_one_table_are_asked_for_apart_where_hints_read_it_in_other_ways() -> None:
    value = "(SELECT COUNT(*) FROM t /*+ OPTIONS('topic' = '{}') */)"
    query = f"SELECT a FROM t WHERE a > {value.format('u')} + {value.format('v')}"
    (found,) = plan(f"{SWALLOWS} INSERT INTO shown {query}").queries
    read = [scan.spec.source.describe() for scan in scans(found.input)]
    assert [next(x for x in "tuv" if f"'{x}'" in text) for text in read] == ["t", "u", "v"]


def test_a_value_may_be_of_the_rows_of_a_window() -> None:
    rows = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE))"
    query = f"SELECT a FROM t WHERE a > (SELECT COUNT(*) FROM {rows})"
    (found,) = plan(f"{SWALLOWS} INSERT INTO shown {query}").queries
    assert len(scans(found.input)) == 2


def test_a_fixed_partition_is_a_column_of_every_row() -> None:
    script = """CREATE TABLE f (p STRING, a INT) PARTITIONED BY (p) WITH (
      'connector' = 'filesystem', 'path' = '/tmp/f', 'format' = 'json');
    INSERT INTO f PARTITION (p = 'x') SELECT a FROM t"""
    (query,) = plan(script).queries
    assert [name for name, _ in query.columns] == ["p", "a"]
    assert [field.name for field in query.input.fields] == ["a", "p"]


def test_functions_are_typed_by_their_annotations(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def twice(n: int) -> int:\n    return n * 2\n")
    script = TABLES + "CREATE FUNCTION twice AS 'mine.twice' LANGUAGE PYTHON;"
    overrides = Overrides(folders=(str(tmp_path),))
    good = "CREATE VIEW v AS SELECT twice(a) AS x FROM t; DESCRIBE v; SHOW USER FUNCTIONS"
    found = plan_script(parse(script + good), name="x", overrides=overrides)
    assert found.results[0].rows[0][:2] == ("x", "BIGINT")
    assert found.results[1].rows == (("twice",),)
    for call in ("twice(b)", "twice(a, a)"):
        with pytest.raises(PenstockError) as caught:
            text = f"{script} INSERT INTO s SELECT CAST({call} AS INT) FROM t"
            plan_script(parse(text), name="x", overrides=overrides)
        assert caught.value.code == "WRONG_ARGUMENTS"
