"""Statements that are refused, and which mistakes of a script are told."""

from __future__ import annotations

import pytest

from penstock.errors import PenstockError
from penstock.plan.script import plan_script
from penstock.sql.parse import parse
from tests.plan.statements import KAFKA, plan

REFUSED = {
    "CREATE TABLE d.x (a INT) WITH ()": "SYNTAX_ERROR",
    f"CREATE TABLE d.x (a INT) WITH ({KAFKA})": "UNKNOWN_DATABASE",
    "USE nowhere": "UNKNOWN_DATABASE",
    "USE CATALOG nowhere": "UNKNOWN_DATABASE",
    "CREATE CATALOG c WITH ('type' = 'hive')": "INVALID_DATABASE",
    "CREATE DATABASE default_database": "INVALID_DATABASE",
    "DROP DATABASE default_database": "INVALID_DATABASE",
    f"CREATE DATABASE d; CREATE TABLE d.x (a INT) WITH ({KAFKA}); DROP DATABASE d": (
        "INVALID_DATABASE"
    ),
    "DROP DATABASE nowhere": "UNKNOWN_DATABASE",
    "DROP CATALOG default_catalog": "INVALID_DATABASE",
    "INSERT INTO s SELECT a FROM a.b.c.d": "INVALID_QUERY",
    "DROP VIEW t": "INVALID_QUERY",
    "DROP TABLE nowhere": "UNKNOWN_TABLE",
    f"CREATE TEMPORARY TABLE t (z INT) WITH ({KAFKA}); DROP TABLE t": "INVALID_QUERY",
    "CREATE TABLE l LIKE nowhere": "UNKNOWN_TABLE",
    "CREATE VIEW v AS SELECT a FROM t; CREATE TABLE l LIKE v": "NOT_A_SINK",
    "CREATE TABLE l (a INT) LIKE t": "INVALID_QUERY",
    "CREATE TABLE l (c AS 1) LIKE t": "INVALID_QUERY",
    "CREATE TABLE l WITH ('topic' = 'x') LIKE t (INCLUDING ALL)": "INVALID_QUERY",
    "CREATE TABLE l (WATERMARK FOR ts AS ts) LIKE t": "INVALID_QUERY",
    f"CREATE TABLE x (a INT, PRIMARY KEY (z) NOT ENFORCED) WITH ({KAFKA})": "INVALID_QUERY",
    f"CREATE TABLE x (a INT) PARTITIONED BY (z) WITH ({KAFKA})": "INVALID_QUERY",
    f"CREATE TABLE x (a INT) PARTITIONED BY (a) WITH ({KAFKA}); INSERT INTO x SELECT a FROM t": (
        "INVALID_QUERY"
    ),
    f"CREATE TABLE x WITH ({KAFKA})": "INVALID_QUERY",
    f"CREATE TABLE x (z, a) WITH ({KAFKA}) AS SELECT a, b FROM t": "INVALID_QUERY",
    "ALTER TABLE t ADD a INT": "INVALID_ALTER",
    "ALTER TABLE t ADD WATERMARK FOR ts AS ts": "INVALID_ALTER",
    "ALTER TABLE t DROP a": "INVALID_ALTER",
    "ALTER TABLE t RENAME ts TO u": "INVALID_ALTER",
    "ALTER TABLE t DROP nosuch": "UNKNOWN_COLUMN",
    "ALTER TABLE t MODIFY nosuch INT": "UNKNOWN_COLUMN",
    "ALTER TABLE t DROP PRIMARY KEY": "INVALID_ALTER",
    "ALTER TABLE t RENAME TO s": "TABLE_EXISTS",
    "ALTER TABLE t RESET ('connector')": "INVALID_ALTER",
    "ALTER TABLE t RESET ('topic')": "CONFLICTING_OPTIONS",
    "ALTER VIEW t RENAME TO u": "INVALID_QUERY",
    "INSERT OVERWRITE s SELECT a FROM t": "UNSUPPORTED_CLAUSE",
    "SHOW CREATE VIEW t": "INVALID_QUERY",
    "SHOW PARTITIONS t": "INVALID_QUERY",
    "CREATE VIEW v (x, y) AS SELECT a FROM t": "INVALID_QUERY",
    "CREATE VIEW v AS SELECT a FROM t; INSERT INTO s SELECT a FROM v /*+ OPTIONS('k'='v') */": (
        "INVALID_QUERY"
    ),
    "SET 'table.dynamic-table-options.enabled' = 'false'; "
    "INSERT INTO s SELECT a FROM t /*+ OPTIONS('topic'='v') */": "CONFLICTING_OPTIONS",
    "CREATE FUNCTION f AS 'com.acme.F'": "INVALID_FUNCTION",
    "CREATE FUNCTION f AS 'nosuchmodule.f' LANGUAGE PYTHON": "INVALID_FUNCTION",
    "CREATE FUNCTION upper AS 'json.dumps' LANGUAGE PYTHON": "INVALID_FUNCTION",
    "CREATE FUNCTION f AS 'json.dumps' LANGUAGE PYTHON": "INVALID_FUNCTION",
    "DROP FUNCTION nosuch": "UNSUPPORTED_FUNCTION",
}


@pytest.mark.parametrize(("script", "code"), REFUSED.items())
def test_refused(script: str, code: str) -> None:
    with pytest.raises(PenstockError) as caught:
        plan(script)
    assert caught.value.code == code, str(caught.value)
    assert caught.value.span is not None
    assert caught.value.also == ()


def test_what_follows_from_a_mistake_is_not_told() -> None:
    script = f"""CREATE TABLE bad (a INT) WITH ('connector' = 'nosuch');
    CREATE TABLE worse (a INT, WITH ({KAFKA});
    CREATE VIEW v AS SELECT a FROM bad;
    CREATE FUNCTION f AS 'nosuchmodule.f' LANGUAGE PYTHON;
    CREATE CATALOG bad_one WITH ('type' = 'hive'); USE CATALOG bad_one;
    CREATE TABLE default_catalog.default_database.fine (n INT) WITH ({KAFKA});
    INSERT INTO default_catalog.default_database.s
      SELECT a FROM default_catalog.default_database.v;
    INSERT INTO default_catalog.default_database.worse
      SELECT f(a) FROM default_catalog.default_database.t;
    INSERT INTO default_catalog.default_database.s
      SELECT nosuch FROM default_catalog.default_database.t;"""
    with pytest.raises(PenstockError) as caught:
        plan(script)
    codes = [error.code for error in (caught.value, *caught.value.also)]
    assert codes == [
        "UNKNOWN_CONNECTOR",
        "SYNTAX_ERROR",
        "INVALID_FUNCTION",
        "INVALID_DATABASE",
        "UNKNOWN_COLUMN",
    ]


def test_all_unknown_options_are_told() -> None:
    with pytest.raises(PenstockError) as caught:
        plan(f"CREATE TABLE x (a INT) WITH ({KAFKA}, 'tpic' = 'a', 'fromat' = 'b')")
    told = [caught.value, *caught.value.also]
    assert [(error.code, error.facts["option"]) for error in told] == [
        ("UNKNOWN_OPTION", "tpic"),
        ("UNKNOWN_OPTION", "fromat"),
    ]


def test_a_mistake_of_a_table_is_told_once() -> None:
    text = """
    CREATE TABLE t (id INT, x STRING METADATA FROM 'ofset') WITH ('connector' = 'kafka',
      'topic' = 't', 'properties.bootstrap.servers' = 'x:1', 'format' = 'json',
      'scan.startup.mode' = 'earliest-offset');
    CREATE TABLE shown (id INT) WITH ('connector' = 'print');
    INSERT INTO shown SELECT id FROM t;
    """
    with pytest.raises(PenstockError) as caught:
        plan_script(parse(text), name="test")
    assert (caught.value.code, caught.value.also) == ("UNKNOWN_METADATA", ())
