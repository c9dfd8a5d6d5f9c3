"""Reading a script: each statement of Flink's manual, and what Flink's parser refuses."""

from __future__ import annotations

import pytest
from sqlglot import exp

from penstock.errors import PenstockError
from penstock.sql.hints import hint_options
from penstock.sql.parse import parse
from penstock.sql.statements import (
    AlterTable,
    AlterView,
    CreateFunction,
    CreateTable,
    CreateView,
    Describe,
    Drop,
    Explain,
    Insert,
    Mistake,
    Note,
    Select,
    SetOption,
    Show,
    Statement,
    Use,
)

READ: dict[str, type[Statement]] = {
    "CREATE TABLE t (a INT)": CreateTable,
    "CREATE TEMPORARY TABLE IF NOT EXISTS c.d.t (a INT PRIMARY KEY NOT ENFORCED)": CreateTable,
    "CREATE TABLE t (a INT, CONSTRAINT k PRIMARY KEY (a) NOT ENFORCED) WITH ('x' = 'y')": (
        CreateTable
    ),
    "CREATE TABLE t (`a b` ROW<x INT NOT NULL> NOT NULL COMMENT 'c', b AS 1 + 1 COMMENT 'd', "
    "m STRING METADATA FROM 'k' VIRTUAL, WATERMARK FOR ts AS ts) COMMENT 'it''s' "
    'PARTITIONED BY (b) WITH ("k" = "v")': CreateTable,
    "CREATE TABLE t LIKE s": CreateTable,
    "CREATE TABLE t (b INT) WITH ('k' = 'v') LIKE s (INCLUDING ALL EXCLUDING OPTIONS)": CreateTable,
    "CREATE TABLE t WITH ('k' = 'v') AS SELECT 1 AS a": CreateTable,
    "CREATE TABLE t (b, a) WITH ('k' = 'v') AS SELECT a, b FROM s": CreateTable,
    "CREATE VIEW IF NOT EXISTS v (a, b COMMENT 'c') COMMENT 'd' AS SELECT 1, 2": CreateView,
    "CREATE FUNCTION IF NOT EXISTS f AS 'm.f' LANGUAGE PYTHON": CreateFunction,
    "CREATE TEMPORARY SYSTEM FUNCTION f AS 'm.f' LANGUAGE PYTHON": CreateFunction,
    "ALTER TABLE t SET ('a' = 'b', 'c' = 'd')": AlterTable,
    "ALTER TABLE IF EXISTS t RESET ('a')": AlterTable,
    "ALTER TABLE t ADD (a INT FIRST, b STRING AFTER a, WATERMARK FOR ts AS ts)": AlterTable,
    "ALTER TABLE t ADD COLUMN a INT": AlterTable,
    "ALTER TABLE t MODIFY a BIGINT NOT NULL": AlterTable,
    "ALTER TABLE t DROP (a, b)": AlterTable,
    "ALTER TABLE t DROP WATERMARK": AlterTable,
    "ALTER TABLE t RENAME a TO b": AlterTable,
    "ALTER TABLE t RENAME TO u": AlterTable,
    "ALTER VIEW v AS SELECT 1": AlterView,
    "ALTER VIEW v RENAME TO w": AlterView,
    "DROP TEMPORARY VIEW IF EXISTS v": Drop,
    "USE CATALOG c": Use,
    "USE c.d": Use,
    "INSERT INTO t PARTITION (p = 'x') (a, b) SELECT 1, 2": Insert,
    "INSERT OVERWRITE t SELECT 1": Insert,
    "INSERT INTO t VALUES (1, 'a'), (2, 'b')": Insert,
    "INSERT INTO t (SELECT 1) UNION ALL SELECT 2": Insert,
    "EXECUTE INSERT INTO t SELECT 1": Insert,
    "SELECT 1": Select,
    "WITH q AS (SELECT 1 AS a) SELECT a FROM q": Select,
    "VALUES (1)": Select,
    "SET": SetOption,
    "SET 'a.b' = 'c'": SetOption,
    "SET a.b = c-1": SetOption,
    "SHOW TABLES FROM c.d NOT LIKE 'x%'": Show,
    "SHOW DATABASES ILIKE 'x%'": Show,
    "SHOW CREATE TABLE t": Show,
    "SHOW COLUMNS IN t": Show,
    "DESC t": Describe,
    "EXPLAIN PLAN FOR INSERT INTO t SELECT 1": Explain,
    "EXPLAIN CHANGELOG_MODE, ESTIMATED_COST INSERT INTO t SELECT 1": Explain,
    "ADD JAR '/x.jar'": Note,
}


@pytest.mark.parametrize(("text", "kind"), READ.items())
def test_statements_are_read(text: str, kind: type[Statement]) -> None:
    (statement,) = parse(text).statements
    assert not isinstance(statement, Mistake), str(statement.error)
    assert isinstance(statement, kind)


REFUSED = {
    # Flink's parser refuses these too.
    "SELECT a, FROM t": ("SYNTAX_ERROR", "1:9"),
    "CREATE TABLE t (a INT,)": ("SYNTAX_ERROR", "1:23"),
    "CREATE TABLE t (a INT) WITH ('a' = 'b',)": ("SYNTAX_ERROR", "1:40"),
    "CREATE TABLE t (a INT) WITH (a = 'b')\n-- dialect: none": ("SYNTAX_ERROR", "1:30"),
    "CREATE TABLE t (a INT) WITH ('a' = 1)": ("SYNTAX_ERROR", "1:36"),
    "CREATE TABLE t (a INT) WITH ()": ("SYNTAX_ERROR", "1:30"),
    "CREATE TABLE t (a INT) WIHT ('a' = 'b')": ("SYNTAX_ERROR", "1:24"),
    "CREATE TABLE t (a)": ("SYNTAX_ERROR", "1:17"),
    "CREATE TABLE t (a INT, PRIMARY KEY (a))": ("UNSUPPORTED_CLAUSE", "1:39"),
    "CREATE TABLE t (a INT, PRIMARY KEY (a) ENFORCED)": ("UNSUPPORTED_CLAUSE", "1:40"),
    "CREATE TABLE t (a INT PRIMARY KEY NOT ENFORCED, b INT PRIMARY KEY NOT ENFORCED)": (
        "UNSUPPORTED_CLAUSE",
        "1:55",
    ),
    "CREATE TABLE t (a INT) DISTRIBUTED BY (a) INTO 2 BUCKETS": ("UNSUPPORTED_CLAUSE", "1:24"),
    "CREATE TABLE t LIKE s (OVERWRITING CONSTRAINTS)": ("SYNTAX_ERROR", "1:36"),
    "CREATE TABLE t LIKE s (INCLUDING OPTIONS EXCLUDING OPTIONS)": ("SYNTAX_ERROR", "1:59"),
    "CREATE OR REPLACE TABLE t (a INT)": ("REFUSED_STATEMENT", "1:1"),
    "CREATE MATERIALIZED VIEW v AS SELECT 1": ("UNSUPPORTED_STATEMENT", "1:1"),
    "CREATE": ("UNSUPPORTED_STATEMENT", "1:1"),
    "INSERT INTO": ("SYNTAX_ERROR", "1:8"),
    "INSERT INTO t": ("SYNTAX_ERROR", "1:13"),
    "INSERT INTO t SELECT 1 SELECT 2": ("SYNTAX_ERROR", "1:24"),
    "SELECT 1 FROM t FOR UPDATE": ("UNSUPPORTED_CLAUSE", "1:8"),
    "SELECT /*+ OPTIONS('a'='b') */ 1": ("SYNTAX_ERROR", "1:12"),
    "SELECT 1 FROM t /*+ OPTIONS('a') */": ("SYNTAX_ERROR", "1:29"),
    "SELECT 1 FROM t /*+ OPTIONS('a'='b',) */": ("SYNTAX_ERROR", "1:36"),
    "SELECT 1 FROM t AS x /*+ OPTIONS('a'='b') */": ("SYNTAX_ERROR", "1:22"),
    "SET 'a'": ("SYNTAX_ERROR", "1:5"),
    "SET 'a' =": ("SYNTAX_ERROR", "1:9"),
    "SHOW": ("SYNTAX_ERROR", "1:1"),
    "SHOW GRANTS": ("SYNTAX_ERROR", "1:6"),
    "SHOW TABLES LIKE x": ("SYNTAX_ERROR", "1:18"),
    "EXECUTE STATEMENT SET BEGIN SELECT 1; END": ("SYNTAX_ERROR", "1:29"),
    "BEGIN STATEMENT SET; INSERT INTO t SELECT 1;": ("SYNTAX_ERROR", "1:1"),
    "DELETE FROM t": ("REFUSED_STATEMENT", "1:1"),
    "UPDATE t SET a = 1": ("REFUSED_STATEMENT", "1:1"),
    "CALL p()": ("REFUSED_STATEMENT", "1:1"),
    "STOP JOB 'x'": ("REFUSED_STATEMENT", "1:1"),
    "COMPILE PLAN 'x' FOR INSERT INTO t SELECT 1": ("REFUSED_STATEMENT", "1:1"),
    "LOAD MODULE hive": ("REFUSED_STATEMENT", "1:1"),
    "garbage in": ("UNSUPPORTED_STATEMENT", "1:1"),
    "SELECT 'a": ("SYNTAX_ERROR", "1:8"),
    "SELECT /* a": ("SYNTAX_ERROR", "1:8"),
    "SELECT x'zz'": ("SYNTAX_ERROR", "1:8"),
}


@pytest.mark.parametrize(("text", "expected"), REFUSED.items())
def test_refused_at_its_place(text: str, expected: tuple[str, str]) -> None:
    mistakes = [s for s in parse(text, "flink").statements if isinstance(s, Mistake)]
    assert [(m.error.code, str(m.error.span)) for m in mistakes] == [expected], str(mistakes)


def test_hints_stay_with_their_tables() -> None:
    script = """INSERT INTO s /*+ OPTIONS('sink.parallelism' = '2') */
    SELECT /*+ BROADCAST(b), STATE_TTL('a' = '1d') */ a.x
    FROM t /*+ OPTIONS('k' = 'it''s', 'l' = ',)') */ AS a
    JOIN u /*+ OPTIONS('m' = 'n') */ b ON a.x = b.x -- no /*+ hint */
    """
    first, second, insert = parse(script).statements
    assert isinstance(first, Note) and isinstance(second, Note)
    assert ("BROADCAST" in first.text, str(first.span)) == (True, "2:16")
    assert ("STATE_TTL" in second.text, str(second.span)) == (True, "2:30")
    assert isinstance(insert, Insert)
    assert [(o.key, o.value, str(o.span)) for o in insert.options] == [
        ("sink.parallelism", "2", "1:27")
    ]
    given = {t.name: [(o.key, o.value) for o in hint_options(t)] for t in _tables(insert)}
    assert given == {"t": [("k", "it's"), ("l", ",)")], "u": [("m", "n")]}


def _tables(statement: Insert) -> list[exp.Table]:
    return list(statement.query.find_all(exp.Table))


def test_a_hint_inside_a_window_function() -> None:
    script = """SELECT 1 FROM TABLE(TUMBLE(TABLE t /*+ OPTIONS('k' = 'v') */, DESCRIPTOR(ts),
    INTERVAL '1' MINUTE))"""
    (statement,) = parse(script).statements
    assert isinstance(statement, Select)
    (table,) = [t for t in statement.query.find_all(exp.Table) if t.name == "t"]
    assert [option.key for option in hint_options(table)] == ["k"]


def test_every_mistake_is_told_and_reading_goes_on() -> None:
    script = """CREATE TABLE a (x DECIMAL(99, 2), y INT, y INT, `__z` INT);
    garbage;
    SELECT a, FROM t;
    CREATE TABLE b (x INT);
    INSERT INTO b SELECT 'open;
    """
    found = [
        (error.code, str(error.span))
        for statement in parse(script).statements
        if isinstance(statement, Mistake)
        for error in (statement.error, *statement.error.also)
    ]
    assert found[1:] == [
        ("DUPLICATE_COLUMN", "1:42"),
        ("RESERVED_NAME", "1:49"),
        ("UNSUPPORTED_STATEMENT", "2:5"),
        ("SYNTAX_ERROR", "3:13"),
        ("SYNTAX_ERROR", "5:26"),
    ]
    assert found[0] == ("UNSUPPORTED_TYPE", "1:19")


def test_a_quote_that_is_not_closed_is_found_where_it_opens() -> None:
    script = "SELECT 'a' FROM t;\nSELECT 'b FROM t;\nSELECT 'c' FROM t;\n"
    mistake = parse(script).statements[-1]
    assert isinstance(mistake, Mistake)
    assert str(mistake.error.span) == "2:8"


def test_an_empty_script_is_refused() -> None:
    with pytest.raises(PenstockError) as caught:
        parse("-- nothing\n;;")
    assert caught.value.code == "EMPTY_SCRIPT"


def _nested(levels: int) -> str:
    return "SELECT " + "REPLACE(" * levels + "'a'" + ", 'a', 'b')" * levels


def test_nesting_has_an_end_but_a_far_one() -> None:
    assert not hasattr(parse(_nested(120)).statements[0], "error")
    with pytest.raises(PenstockError) as caught:
        parse(_nested(3000))
    assert caught.value.code == "TOO_DEEP"
    assert caught.value.span is not None
