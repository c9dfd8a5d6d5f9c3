"""What columns without a name are called; as ClickHouse 26.9 calls them."""

from __future__ import annotations

import pytest

from penstock.plan.clickhouse.item_names import item_name
from tests.sql.clickhouse.expressions import parsed

_NAMES = {
    "a + 1": "plus(a, 1)",
    "count(*)": "count()",
    "count(DISTINCT a)": "countDistinct(a)",
    "COUNT(a)": "COUNT(a)",
    "count() FILTER (WHERE a > 1)": "countIf(greater(a, 1))",
    "quantile(0.5)(a)": "quantile(0.5)(a)",
    "CEIL(1.50)": "CEIL(1.5)",
    "-a % 3 IN (1, 2)": "in(modulo(negate(a), 3), (1, 2))",
    "-1": "-1",
    "1e3": "1000.",
    "1e-7": "1e-7",
    "1e21": "1e21",
    "0xff": "255",
    "'it''s'": "'it\\'s'",
    "a AND 1 AND 2": "and(a, 1, 2)",
    "a > 1 AND (a < 2 AND a < 3)": "and(greater(a, 1), and(less(a, 2), less(a, 3)))",
    "'a' || 'b' || 'c'": "concat('a', 'b', 'c')",
    "a NOT LIKE 'b'": "notLike(a, 'b')",
    "a NOT IN (1)": "notIn(a, 1)",
    "a BETWEEN 1 AND 2": "and(greaterOrEquals(a, 1), lessOrEquals(a, 2))",
    "a NOT BETWEEN 1 AND 2": "or(less(a, 1), greater(a, 2))",
    "a IS NOT NULL": "isNotNull(a)",
    "CASE WHEN a = 1 THEN 'x' ELSE 'y' END": "multiIf(equals(a, 1), 'x', 'y')",
    "CASE a WHEN 1 THEN 'x' END": "caseWithExpression(a, 1, 'x', NULL)",
    "a = 1 ? 1 : 2": "if(equals(a, 1), 1, 2)",
    "a::UInt8::String": "CAST(CAST(a, 'UInt8'), 'String')",
    "d + INTERVAL 1 DAY": "plus(d, toIntervalDay(1))",
    "EXTRACT(YEAR FROM d)": "toYear(d)",
    "arrayMap((x, y) -> x + y, [1], [a])": "arrayMap(lambda(tuple(x, y), plus(x, y)), [1], [a])",
    "map('a', 1)['a']": "arrayElement(map('a', 1), 'a')",
    "(a, 1)": "(a, 1)",
    "array(a, 1)": "[a, 1]",
    "t.1": "tupleElement(t, 1)",
    "trim(BOTH 'a' FROM b)": "trimBoth(b, 'a')",
    "substring('abc', 1, 2)": "substring('abc', 1, 2)",
}


@pytest.mark.parametrize(("sql", "name"), _NAMES.items())
def test_name(sql: str, name: str) -> None:
    assert item_name(parsed(sql)) == name
