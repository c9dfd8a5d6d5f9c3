"""Property: whatever is planned, the text made for Spark is text that Spark's parser reads."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from penstock.errors import PenstockError
from penstock.model.expression import Expr
from penstock.plan.script import plan_script
from penstock.sql.functions import AGGREGATE, SCALAR
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

KAFKA = (
    "'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1', "
    "'scan.startup.mode' = 'earliest-offset', 'format' = 'json'"
)
COLUMNS = (
    "i INT, l BIGINT, d DOUBLE, n DECIMAL(10, 2), s STRING, b BOOLEAN, dt DATE, "
    "ts TIMESTAMP(3), lz TIMESTAMP_LTZ(3), bs BYTES, xs ARRAY<STRING>, m MAP<STRING, INT>, "
    "r ROW<a INT, `b c` STRING>, WATERMARK FOR ts AS ts - INTERVAL '1' SECOND"
)
SCRIPT = f"""
CREATE TABLE t ({COLUMNS}) WITH ({KAFKA});
CREATE TABLE u ({COLUMNS}) WITH ({KAFKA});
CREATE TABLE sink (x STRING) WITH ('connector' = 'blackhole');
"""
# what a signature calls a kind of argument → texts of that kind; what is not here takes any
ARGUMENTS = {
    "array": ["xs", "ARRAY['a', CAST(NULL AS STRING)]"],
    "array of text": ["xs", "ARRAY['a']"],
    "binary": ["bs", "X'00ff'"],
    "boolean": ["b", "i > 1", "NOT b", "s IS NULL"],
    "date or time": ["dt", "ts", "lz"],
    "decimal": ["n", "1.50"],
    "int": ["i", "3"],
    "integer": ["i", "l", "7"],
    "list": ["xs", "m"],
    "literal int": ["2"],
    "literal text": ["'a'", "'it''s'", "'\\d+'", "'yyyy-MM-dd'"],
    "map": ["m", "MAP['k', 1]"],
    "number": ["i", "l", "d", "n", "- i", "1e3"],
    "text": ["s", "'x'", "s || 'y'", "r.`b c`", "'ü`\"'", "'a\\\\b'"],
    "time": ["ts", "lz"],
}
ANY = [text for texts in ARGUMENTS.values() for text in texts]


@st.composite
def calls(draw: Any, table: dict[str, Any]) -> str:
    """A call of a function of the table, with arguments of the kinds it takes."""
    name = draw(st.sampled_from(sorted(table)))
    signature = draw(st.sampled_from(table[name]))
    arguments = [draw(st.sampled_from(ARGUMENTS.get(family, ANY))) for family in signature.takes]
    return f"{name}({', '.join(arguments)})"


CALLS = calls(SCALAR)
OPERATORS = st.sampled_from(["=", "<>", "<", ">=", "+", "-", "*", "/", "%", "||", "AND", "OR"])
OPERANDS = st.one_of(st.sampled_from(ANY), CALLS)
EXPRESSIONS = st.one_of(
    CALLS,
    st.builds("({} {} {})".format, OPERANDS, OPERATORS, OPERANDS),
    st.builds("CASE WHEN b THEN {} ELSE {} END".format, OPERANDS, OPERANDS),
    st.builds("CAST({} AS STRING)".format, OPERANDS),
    st.builds("TRY_CAST({} AS INT)".format, OPERANDS),
)
SHAPES = st.sampled_from(
    [
        "SELECT {0} FROM t WHERE {1} IS NOT NULL",
        "SELECT {0} FROM t GROUP BY {0}",
        "SELECT t.i, {2} FROM t GROUP BY t.i",
        "SELECT {2} FROM t GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE), s",
        "SELECT window_end, {2} FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' SECOND, "
        "INTERVAL '2' SECOND)) GROUP BY window_start, window_end, {0}",
        "SELECT {2}, ROW_NUMBER() OVER (PARTITION BY s ORDER BY ts) FROM t GROUP BY s, ts",
        "SELECT x FROM (SELECT {0} AS x FROM t UNION ALL SELECT {0} FROM u)",
        "SELECT t.i FROM t JOIN u ON t.i = u.i AND t.ts BETWEEN u.ts AND u.ts + INTERVAL '1' HOUR",
        "SELECT i FROM t WHERE {0} IN (SELECT {0} FROM u)",
    ]
)


def _expressions(part: object) -> Iterator[str]:
    if isinstance(part, Expr):
        yield part.sql
    elif isinstance(part, tuple):
        for item in part:
            yield from _expressions(item)
    elif is_dataclass(part):
        for field in fields(part):
            yield from _expressions(getattr(part, field.name))


@settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
@given(shape=SHAPES, first=EXPRESSIONS, second=EXPRESSIONS, aggregate=calls(AGGREGATE))
def test_spark_reads_what_we_write(
    spark: SparkSession, shape: str, first: str, second: str, aggregate: str
) -> None:
    query = shape.format(first, second, aggregate)
    script = f"{SCRIPT} INSERT INTO sink SELECT '' FROM ({query}) AS q;"
    try:
        plan = plan_script(parse(script), name="generated")
    except PenstockError as error:
        assert error.span is not None, query
        return
    parser = spark._jsparkSession.sessionState().sqlParser()
    for sql in _expressions(plan.queries[0]):
        parser.parseExpression(sql)
