"""Edits of what the key of a sink is made of: rows by the old key would stay in it for ever."""

from __future__ import annotations

import pytest

from penstock.plan.script import plan_script
from penstock.runtime.shape import difference, shape_of
from penstock.sql.parse import parse

_KAFKA = "'topic' = 't', 'properties.bootstrap.servers' = 'x:1'"
_READ = f"'connector' = 'kafka', {_KAFKA}, 'scan.startup.mode' = 'earliest-offset'"
_UPSERT = f"'connector' = 'upsert-kafka', {_KAFKA}, 'key.format' = 'json', 'value.format' = 'json'"
_SCRIPT = f"""
CREATE TABLE orders (id INT, k STRING, n INT) WITH ({_READ}, 'format' = 'json');
CREATE TABLE users (id INT, city STRING, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  {_UPSERT});
CREATE TABLE links (a STRING, b STRING, x INT, PRIMARY KEY (a, b) NOT ENFORCED) WITH ({_UPSERT});
CREATE TABLE sink ({{columns}}, PRIMARY KEY ({{key}}) NOT ENFORCED) WITH ({_UPSERT});
INSERT INTO sink {{query}};"""
_BY_ID = ("r STRING, id INT, name STRING", "r, id")
_DOUBLED = ("id BIGINT, b BIGINT, name STRING", "id, b")
_PAIR = ("a STRING, b STRING, x INT", "a, b")
_ONE = ("a STRING, n BIGINT", "a")
_GROUP = ("a STRING, k STRING, n BIGINT", "a, k")
_EU = "SELECT 'eu', id, name FROM users"
_TIMES = "SELECT id, id * 2, name FROM users"
_COUNT = "SELECT 'a', COUNT(*) FROM orders"
_COUNTS = "SELECT 'a', k, COUNT(*) FROM orders GROUP BY k"


def _change(sink: tuple[str, str], before: str, after: str) -> str:
    columns, key = sink
    made = (_SCRIPT.format(columns=columns, key=key, query=query) for query in (before, after))
    old, new = (plan_script(parse(text), name="job", settings=()).queries[0] for text in made)
    return difference(shape_of(old), shape_of(new))


@pytest.mark.parametrize(
    ("sink", "before", "after", "change"),
    [
        (_BY_ID, _EU, _EU.replace("eu", "us"), "from r = ('eu') to r = ('us')"),
        (_DOUBLED, _TIMES, _TIMES.replace("2", "3"), "from b = CAST((CAST((id INT * 2)"),
        (_ONE, _COUNT, _COUNT.replace("'a'", "'b'"), "from a = ('a') to a = ('b')"),
        (_GROUP, _COUNTS, _COUNTS.replace("'a'", "'b'"), "from a = ('a') to a = ('b')"),
        (_PAIR, "SELECT a, b, x FROM links", "SELECT b, a, x FROM links",
         "from a = a STRING, b = b STRING to a = b STRING, b = a STRING"),
    ],
)  # fmt: skip
def test_another_key_of_rows_that_go_is_refused(
    sink: tuple[str, str], before: str, after: str, change: str
) -> None:
    found = _change(sink, before, after)
    assert found.startswith("the conditions and columns of rows that go from its sink changed")
    assert change in found


@pytest.mark.parametrize(
    ("sink", "before", "after"),
    [
        (_BY_ID, _EU, _EU.replace("name", "UPPER(name)")),
        (_BY_ID, _EU, "SELECT 'eu', number, name FROM (SELECT id AS number, name FROM users)"),
        (_GROUP, _COUNTS, _COUNTS.replace("COUNT(*)", "COUNT(*) + 1")),
        # Of rows that only come none goes.
        (_BY_ID, "SELECT 'eu', id, k FROM orders", "SELECT 'us', id, k FROM orders"),
    ],
)
def test_other_columns_may_change(sink: tuple[str, str], before: str, after: str) -> None:
    assert _change(sink, before, after) == ""
