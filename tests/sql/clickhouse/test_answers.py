"""What SHOW and its like answer, named collections, data in a script; no JVM, no broker."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.connectors.inline import InlineSource
from penstock.connectors.result import ResultTarget
from penstock.errors import PenstockError
from penstock.formats.clickhouse.shown import Heading
from penstock.plan.script import plan_script
from penstock.plan.walk import scans
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from penstock.plan.query import ScriptPlan

_TABLES = """
CREATE TABLE q (id UInt64) ENGINE = Kafka('h:9092', 't', 'g', 'JSONEachRow');
CREATE TABLE t (id UInt64, day Date DEFAULT today(), al UInt64 ALIAS id + 1)
  ENGINE = MergeTree ORDER BY id;
CREATE VIEW w AS SELECT id + 1 AS x FROM t;
CREATE MATERIALIZED VIEW v TO t AS SELECT id FROM q;
CREATE DATABASE other;
CREATE TABLE other.o (n Int8) ENGINE = Log;
"""
_COLLECTION = """
CREATE NAMED COLLECTION c AS kafka_broker_list = 'h:9092', kafka_topic_list = 'a' NOT OVERRIDABLE,
  kafka_group_name = 'g', kafka_sasl_username = 'u', kafka_sasl_password = 'hidden',
  kafka_sasl_mechanism = 'PLAIN';
"""


def _plan(text: str) -> ScriptPlan:
    return plan_script(parse(text, "clickhouse"), name="x")


@pytest.mark.parametrize(
    ("statement", "rows"),
    [
        ("SHOW TABLES", [["q"], ["t"], ["v"], ["w"]]),
        ("SHOW TABLES LIKE 'v%'", [["v"]]),
        ("SHOW TABLES FROM other", [["o"]]),
        ("DETACH TABLE v; SHOW TABLES", [["q"], ["t"], ["w"]]),
        ("SHOW DATABASES", [["default"], ["other"], ["system"]]),
        ("EXISTS TABLE t", [["1"]]),
        ("EXISTS VIEW t", [["0"]]),
        ("EXISTS VIEW v", [["1"]]),
        ("EXISTS other.o", [["1"]]),
        ("EXISTS DATABASE other", [["1"]]),
        ("DESCRIBE w", [["x", "UInt64", "", "", ""]]),
        (
            "DESCRIBE t",
            [
                ["id", "UInt64", "", "", ""],
                ["day", "Date", "DEFAULT", "today()", ""],
                ["al", "UInt64", "ALIAS", "CAST(id + 1, 'UInt64')", ""],
            ],
        ),
        ("DESCRIBE v", [["id", "UInt64", "", "", ""]]),
        ("SHOW COLUMNS FROM v", [["id", "UInt64", "", "", ""]]),
        ("SHOW COLUMNS FROM q", [["id", "UInt64", "", "", ""]]),
        ("USE other; SHOW COLUMNS FROM default.v", [["id", "UInt64", "", "", ""]]),
        ("DROP TABLE t; SHOW COLUMNS FROM v", [["id", "UInt64", "", "", ""]]),
        ("SHOW CREATE VIEW v", [["CREATE MATERIALIZED VIEW v TO t AS SELECT id FROM q"]]),
    ],
)
def test_answers(statement: str, rows: list[list[str]]) -> None:
    (result,) = _plan(_TABLES + statement).results
    assert [list(row) for row in result.rows] == rows


# What ClickHouse 26.9 gives, but for the two columns that DESCRIBE has more there.
@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("EXISTS t FORMAT JSONEachRow", '{"result":1}'),
        ("EXISTS t FORMAT PrettyCompact", "┌─result─┐\n│      1 │\n└────────┘"),
        ("EXISTS TABLE t FORMAT CSVWithNames", '"result"\n1'),
        ("SHOW TABLES LIKE 't%' FORMAT CSV", '"t"'),
        ("SHOW TABLES FROM other FORMAT vertical", "Row 1:\n──────\nname: o"),
        ("SHOW CREATE TABLE other.o FORMAT TSV", r"CREATE TABLE other.o\n(\n    `n` Int8\n)"),
        ("SHOW CREATE TABLE other.o FORMAT TSVRaw", "CREATE TABLE other.o\n(\n    `n` Int8\n)"),
        ("SHOW CREATE TABLE other.o FORMAT LineAsString", "CREATE TABLE other.o\n(\n    `n` Int8"),
        ("DESC t FORMAT TSV", "id\tUInt64\t\t\t\nday\tDate\tDEFAULT\ttoday()\t\nal"),
        ("DESCRIBE TABLE other.o FORMAT JSONCompactEachRow", '["n", "Int8", "", "", ""]'),
    ],
)
def test_answers_in_a_format(statement: str, text: str) -> None:
    (result,) = _plan(_TABLES + statement).results
    assert not result.columns
    assert result.rows[0][0].startswith(text)


def test_an_answer_may_be_none_and_knows_its_formats() -> None:
    assert _plan(_TABLES + "SHOW TABLES FORMAT Null").results == ()
    with pytest.raises(PenstockError) as caught:
        _plan(_TABLES + "SHOW TABLES FORMAT Protobuf")
    assert caught.value.code == "UNKNOWN_FORMAT"


def test_a_table_has_the_settings_of_its_collection() -> None:
    script = (
        f"{_COLLECTION} CREATE TABLE q (id UInt64) ENGINE = Kafka(c, kafka_format = 'CSV');"
        "ALTER NAMED COLLECTION c SET kafka_group_name = 'other' DELETE kafka_sasl_mechanism;"
        "DROP NAMED COLLECTION c; SHOW CREATE TABLE q;"
    )
    (result,) = _plan(script).results
    text = result.rows[0][0]
    assert "kafka_group_name = 'g'" in text
    assert "kafka_format = 'CSV'" in text
    assert "hidden" not in text


def test_a_topic_may_be_put_together() -> None:
    made = "CREATE TABLE q (id UInt8) ENGINE = Kafka('h:1', concat('t', '1'), 'g' || '2', 'CSV');"
    (result,) = _plan(f"{made} SHOW CREATE TABLE q;").results
    assert "Kafka('h:1', 't1', 'g2', 'CSV')" in result.rows[0][0]


def test_comments_of_columns() -> None:
    said = "COMMENT COLUMN id 'its number', COMMENT COLUMN IF EXISTS nothing 'x'"
    (result,) = _plan(f"{_TABLES} ALTER TABLE t {said}; DESCRIBE t;").results
    assert result.rows[0] == ("id", "UInt64", "", "", "its number")


def test_a_view_with_a_table_of_its_own_has_the_settings_of_a_collection() -> None:
    view = "CREATE MATERIALIZED VIEW mv ENGINE = Kafka(c, kafka_format = 'CSV') AS SELECT 1 AS n"
    (result,) = _plan(f"{_TABLES}{_COLLECTION}{view} FROM q; SHOW CREATE VIEW mv;").results
    text = result.rows[0][0]
    assert "kafka_group_name = 'g'" in text
    assert "hidden" not in text


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        (_COLLECTION, "is there"),
        ("CREATE MATERIALIZED VIEW m ENGINE = Kafka(d) AS SELECT 1 AS n", "which is not there"),
        ("CREATE TABLE m ENGINE = Kafka(d) AS SELECT 1 AS n", "which is not there"),
        ("DROP NAMED COLLECTION d", "no named collection `d`"),
        (
            "CREATE TABLE q (id UInt8) ENGINE = Kafka(c, kafka_format = 'CSV', "
            "kafka_topic_list = 'b')",
            "overridden",
        ),
        ("CREATE TABLE q (id UInt8) ENGINE = Kafka(d)", "which is not there"),
        ("SELECT 1 SETTINGS no_such = 1", "no_such"),
        ("SELECT 1 SETTINGS max_rows_to_read = 1", "ClickHouse's setting 'max_rows_to_read' = '1'"),
        ("CREATE TABLE d.x (n UInt8) ENGINE = Log", "no database `d`. Known so far: default."),
        ("CREATE DATABASE o; USE nowhere", "no database `nowhere`. Known so far: default, o."),
        ("DROP DATABASE default", "Database `default` is in use."),
        ("CREATE DATABASE default", "Database `default` exists already."),
        ("CREATE TABLE q (id UInt8) ENGINE = Kafka('h', upper('t'), 'g', 'CSV')", "upper('t')"),
        (
            "CREATE TABLE a (x UInt8) ENGINE = Log; ALTER TABLE a COMMENT COLUMN y 'why'",
            "no column `y`",
        ),
        ("SELECT * FROM system.nothing", "system.nothing"),
        (
            "CREATE TABLE a (x UInt8 DEFAULT y, y UInt8 DEFAULT x) ENGINE = Log;"
            "INSERT INTO a (x) VALUES (1); CREATE TABLE b AS a; INSERT INTO b SELECT 1, 2;"
            "CREATE TABLE d (x UInt8 DEFAULT y, y UInt8 DEFAULT x, z UInt8) ENGINE = Log;"
            "INSERT INTO d (z) VALUES (1);",
            "needs itself",
        ),
    ],
)
def test_mistakes(statement: str, says: str) -> None:
    with pytest.raises(PenstockError) as caught:
        _plan(f"{_COLLECTION}{statement};")
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("insert", "format_", "data"),
    [
        ("t FORMAT TSV\n1\t\n2\tx;\n", "TSV", "1\t\n2\tx"),
        (
            't FORMAT JSONEachRow {"id": 1, "day": ";"};\nSELECT 1;',
            "JSONEachRow",
            '{"id": 1, "day": ";"}',
        ),
        ("t (id) FORMAT CSV\n\n1\n", "CSV", "\n1"),
    ],
)
def test_data_is_found_as_it_is_written(insert: str, format_: str, data: str) -> None:
    query = _plan(f"{_TABLES} INSERT INTO {insert}").queries[1]
    source = scans(query.input)[0].spec.source
    assert isinstance(source, InlineSource)
    assert (source.format, source.data) == (format_, data)


@pytest.mark.parametrize(
    ("statement", "code", "place"),
    [
        ("INSERT INTO t (id) VALUES (1), (nope)", "INVALID_QUERY", "2:33"),
        ("INSERT INTO t (id)\nVALUES (1),\n  (farmHash64(2))", "UNSUPPORTED_FUNCTION", "4:4"),
        ("INSERT INTO t (id) VALUES (1), (2 + )", "SYNTAX_ERROR", "2:37"),
        ("INSERT INTO t (id) VALUES (1), (2, 3)", "INVALID_QUERY", "2:33"),
        ("INSERT INTO t (id) VALUES (1), (map('a', 2))", "UNCASTABLE", "2:33"),
        ("INSERT INTO t (id) FORMAT Values (nope)", "INVALID_QUERY", "2:13"),
        ("SELECT id FROM t FINAL PREWHERE id > 1", "UNSUPPORTED_CLAUSE", "2:33"),
        ("CREATE TABLE n (a UInt8)", "MISSING_OPTION", "2:14"),
    ],
)
def test_mistakes_are_told_at_their_place(statement: str, code: str, place: str) -> None:
    with pytest.raises(PenstockError) as caught:
        _plan(f"{_TABLES.strip().replace(chr(10), ' ')}\n{statement};")
    assert (caught.value.code, str(caught.value.span)) == (code, place)
    assert "Columns here: ." not in str(caught.value)


def test_a_column_may_be_called_format() -> None:
    made = "CREATE TABLE f (format String, n UInt8) ENGINE = Log;"
    plan = _plan(f"{made} INSERT INTO f (format, n) VALUES ('a', 1); SELECT n FROM f;")
    assert [query.sink_table for query in plan.queries] == ["f", "result"]


@pytest.mark.parametrize(
    ("format_", "lines", "text"),
    [
        ("TSVRawWithNames", ["1\ta\\'b\n", "\\N\tc\\nd\n"], "n\ts\n1\ta'b\n\\N\tc\nd\n"),
        ("TSKV", ["1\ta\\'b\n"], "n=1\ts=a\\'b\n"),
        ("Values", ["1\ta\\'b\n", "\\N\t\n"], "(1,'a\\'b'),(NULL,'')"),
        ("CSVWithNamesAndTypes", ['1,"x"\n'], '"n","s"\n"Nullable(UInt8)","String"\n1,"x"\n'),
        ("JSONCompactEachRowWithNames", ['[1, "x"]\n'], '["n", "s"]\n[1, "x"]\n'),
    ],
)
def test_frames(format_: str, lines: list[str], text: str) -> None:
    headings = (Heading("n", True, "Nullable(UInt8)"), Heading("s", False, "String"))
    assert "".join(ResultTarget(format_, headings).texts(lines)) == text


@pytest.mark.parametrize("name", ["JSONEachRow", "JSONStringsEachRow"])
def test_an_array_of_rows_is_one_of_all_of_them(name: str) -> None:
    asked = f"SELECT 1 AS a FORMAT {name} SETTINGS output_format_json_array_of_rows = 1"
    spec = _plan(asked).queries[0].spec
    assert isinstance(spec.target, ResultTarget)
    assert "array_of_rows" not in str(spec.columns)
    assert "".join(spec.target.texts(['{"a":1}\n', '{"a":2}\n'])) == '[\n{"a":1},\n{"a":2}\n]\n'
    assert "".join(spec.target.texts([])) == "[\n\n]\n"
