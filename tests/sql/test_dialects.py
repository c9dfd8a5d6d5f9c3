"""Which dialect a script is read in, and that errors tell it."""

from __future__ import annotations

import pytest

from penstock.errors import SqlError
from penstock.sql.detect import detect, said
from penstock.sql.dialects import grammar
from penstock.sql.parse import parse
from penstock.sql.statements import CreateTable, Mistake

DETECTED = {
    "CREATE TABLE t (a INT) WITH ('connector' = 'kafka')": "flink",
    "SELECT 'ENGINE = x', `UInt64` FROM t -- ENGINE = Kafka": "flink",
    "WITH q AS (SELECT 1 AS a) SELECT a FROM q": "flink",
    "CREATE TABLE t (a Int32) ENGINE = Kafka": "clickhouse",
    "CREATE TABLE t (a UInt64)": "clickhouse",
    "create table t (a Nullable(String))": "clickhouse",
    "CREATE MATERIALIZED VIEW v TO t AS SELECT 1": "clickhouse",
    "detach table t;": "clickhouse",
    "SELECT a FROM t FORMAT JSONEachRow;": "clickhouse",
    "create table t (a INT) with (type = 'datahub')": "blink",
    "create table t (a INT) with (bootstrap.servers = 'x')": "blink",
    "create table t (a INT) with ('type' = 'Kafka011')": "blink",
    "create table t (a INT, watermark for a as withOffset(a, 1000)) with ('type' = 'x')": "blink",
}


@pytest.mark.parametrize(("text", "dialect"), DETECTED.items())
def test_detected_by_its_words(text: str, dialect: str) -> None:
    assert detect(text)[0] == dialect


def test_the_script_says_it_itself() -> None:
    assert said("\n-- a\n--  Dialect: Blink \nSELECT 1") is not None
    assert parse("-- dialect: blink\ncreate table t (a INT) with ('k' = 'v')").dialect == "blink"
    assert said("SELECT 1;\n-- dialect: blink\n") is None
    script = parse("-- dialect: flink\ncreate table t (a INT) with (type = 'x')")
    assert (script.dialect, script.reason) == ("flink", "line 1 says so")


def test_asking_wins() -> None:
    assert parse("-- dialect: blink\nSELECT 1", "Huawei").dialect == "flink"


def test_a_syntax_error_tells_the_dialect_and_why() -> None:
    (mistake,) = parse("\ncreate table t (a INT) with (type = 'x', b)").statements
    assert isinstance(mistake, Mistake)
    said = "read as Blink SQL, because line 2 has `with (type =`; `-- dialect: NAME` at the top"
    assert said in str(mistake.error)


@pytest.mark.parametrize("name", ["flink", "blink", "clickhouse", "huawei", "qingcloud", "DLI"])
def test_dialects_have_names(name: str) -> None:
    assert grammar(name, None).title.endswith("SQL")


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(SqlError) as caught:
        parse("-- dialect: flnk\nSELECT 1")
    assert (caught.value.code, str(caught.value.span)) == ("UNKNOWN_DIALECT", "1:13")
    assert "Did you mean `flink`?" in str(caught.value)
    assert "blink, clickhouse, dli, flink" in str(caught.value)


def test_blink_reads_its_own_words() -> None:
    script = """create table t (
      messageKey VARBINARY, `message` VARBINARY, topic VARCHAR HEADER,
      ts as to_timestamp(message), watermark wk for ts as withOffset(ts, 1500),
      PRIMARY KEY (messageKey)
    ) with (TYPE = 'Kafka010', `group.id` = 'g', fetch.min.bytes = '1', 'quoted.key' = "v");"""
    (statement,) = parse(script).statements
    assert isinstance(statement, CreateTable)
    table = statement.table
    assert [(o.key, o.value) for o in table.options] == [
        ("connector", "kafka010"),
        ("group.id", "g"),
        ("fetch.min.bytes", "1"),
        ("quoted.key", "v"),
    ]
    assert table.primary_key == ("messageKey",)
    assert [c.kind for c in table.columns] == ["physical", "physical", "metadata", "computed"]
    assert table.watermark is not None
    assert table.watermark.expression.sql(dialect="flink") == "ts - INTERVAL '1.500' SECOND"
