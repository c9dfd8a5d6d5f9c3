"""SELECT on tables at rest: joins, LIMIT BY, windows and what else only ClickHouse says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from penstock import PenstockError
from tests.clickhouse.joined_rows import EITHER, JOINS, NEAREST, NULLS
from tests.clickhouse.named_rows import NAMED, TABLE

if TYPE_CHECKING:
    from tests.clickhouse.warehouse import Warehouse

pytestmark = pytest.mark.spark

TABLES = """
    CREATE TABLE t (id UInt64, k String, x Int32, arr Array(UInt8), n Nested(a UInt8, b String))
    ENGINE = MergeTree ORDER BY id;
    CREATE TABLE u (id UInt64, v String, at Nullable(Int8)) ENGINE = MergeTree ORDER BY id;
    INSERT INTO t (id, k, x, arr, n.a, n.b) VALUES
        (1, 'a', 10, [1, 2], [7], ['p']), (2, 'a', 20, [], [], []), (3, 'b', 20, [3], [], []),
        (4, 'b', 5, [], [8, 9], ['q', 'r']);
    INSERT INTO u VALUES (1, 'one', 1), (1, 'uno', NULL), (3, 'three', NULL), (9, 'nine', 9);
    CREATE TABLE w (k String, x Int64, at DateTime('UTC'), id UInt8) ENGINE = MergeTree ORDER BY k;
    INSERT INTO w VALUES ('a', 9, '2024-05-01 00:00:00', 1), ('a', 10, '2024-05-02 00:00:00', 2),
        ('a', 15, '2024-05-03 00:00:00', 3), ('b', 6, '2024-05-04 00:00:00', 4);
"""
# query → its rows; without ORDER BY in any order
_QUALIFIED = {
    "SELECT id, k, row_number() OVER (PARTITION BY k ORDER BY x DESC) AS r FROM t QUALIFY r = 1 "
    "ORDER BY id": [[2, "a", 1], [3, "b", 1]],
    "SELECT k, sum(x) AS s FROM t GROUP BY k HAVING s > 0 QUALIFY rank() OVER (ORDER BY s DESC) "
    "= 1": [["a", 30]],
    "SELECT * FROM u QUALIFY count() OVER (PARTITION BY id) = 1 ORDER BY v DESC LIMIT 1": [
        [3, "three", None]
    ],
    "SELECT k FROM t QUALIFY row_number() OVER (ORDER BY id) < 4 ORDER BY x * -1, id LIMIT 2": [
        *(["a"], ["b"]),
    ],
}
_FILLED = {
    "SELECT x, count() AS c, max(k) AS m FROM t GROUP BY x ORDER BY x WITH FILL FROM 4 TO 12 STEP "
    "3": [[4, 0, ""], [5, 1, "b"], [7, 0, ""], [10, 1, "a"], [20, 2, "b"]],
    "SELECT id, k FROM t WHERE id <> 2 ORDER BY id DESC WITH FILL TO 0": [
        *([4, "b"], [3, "b"], [2, ""], [1, "a"]),
    ],
    "SELECT k, x FROM w ORDER BY k, x WITH FILL LIMIT 3": [["a", 9], ["a", 10], ["a", 11]],
    "SELECT toDate('2024-01-30') + (id - 1) * 61 AS d FROM t WHERE id < 3 "
    "ORDER BY d WITH FILL STEP INTERVAL 1 MONTH": [
        *(["2024-01-30"], ["2024-02-29"], ["2024-03-29"], ["2024-03-31"]),
    ],
    "SELECT at, id FROM w WHERE id < 3 ORDER BY at WITH FILL "
    "TO toDateTime('2024-05-02 12:00:00', 'UTC') STEP INTERVAL 12 HOUR": [
        *(["2024-05-01 00:00:00", 1], ["2024-05-01 12:00:00", 0], ["2024-05-02 00:00:00", 2]),
    ],
    "SELECT id FROM t WHERE id > 100 ORDER BY id WITH FILL FROM 1 TO 3": [[1], [2]],
    "SELECT toDate(at) AS d, x FROM w ORDER BY d DESC WITH FILL FROM toDate('2024-05-06') "
    "TO toDate('2024-05-02')": [
        *(["2024-05-06", 0], ["2024-05-05", 0], ["2024-05-04", 6], ["2024-05-03", 15]),
        *(["2024-05-02", 10], ["2024-05-01", 9]),
    ],
}
# query → the names of its columns
NAMES = {
    "SELECT a.id, b.id, b.v, a.id FROM t AS a JOIN u AS b ON a.id = b.id": [
        "id",
        "b.id",
        "v",
        "id",
    ],
    "SELECT * FROM u AS a LEFT JOIN u AS b ON a.id = b.id": [
        *("id", "v", "at", "b.id", "b.v", "b.at")
    ],
    "SELECT id + 1, count() AS c FROM t GROUP BY 1": ["plus(id, 1)", "c"],
    "SELECT * FROM (SELECT k, x FROM t) AS a ASOF JOIN w USING (k, x)": ["k", "x", "at", "id"],
    "SELECT * FROM u FULL JOIN (SELECT id, k FROM t) AS s USING id": ["id", "v", "at", "k"],
}
_ARRAYS = {
    "SELECT id, arrayJoin(arr) AS e, e * 2 FROM t ORDER BY id, e": [
        [1, 1, 2],
        [1, 2, 4],
        [3, 3, 6],
    ],
    "SELECT arrayJoin(arr) AS e, count() FROM t WHERE e > 1 GROUP BY e ORDER BY e": [
        [2, 1],
        [3, 1],
    ],
    "SELECT arrayJoin([1, 2]) AS a, arrayJoin(['x', 'y']) AS b ORDER BY a, b": [
        *([1, "x"], [1, "y"]),
        *([2, "x"], [2, "y"]),
    ],
    "SELECT sum(arrayJoin(arr)), currentDatabase() FROM t": [[6, "default"]],
    "SELECT id, arr FROM t ARRAY JOIN arr ORDER BY id, arr": [[1, 1], [1, 2], [3, 3]],
    "SELECT id, e FROM t LEFT ARRAY JOIN arr AS e ORDER BY id, e": [
        [1, 1],
        [1, 2],
        [2, 0],
        [3, 3],
        [4, 0],
    ],
    "SELECT id, e, f FROM t ARRAY JOIN arr AS e, arrayMap(z -> z + 10, arr) AS f ORDER BY e": [
        [1, 1, 11],
        [1, 2, 12],
        [3, 3, 13],
    ],
    "SELECT id, n.a, n.b FROM t ARRAY JOIN n ORDER BY n.a": [
        [1, 7, "p"],
        [4, 8, "q"],
        [4, 9, "r"],
    ],
    "SELECT m.b FROM t ARRAY JOIN n AS m WHERE m.a > 7 ORDER BY m.b": [["q"], ["r"]],
    "SELECT p FROM t ARRAY JOIN arrayZip(n.a, n.b) AS p WHERE id = 1": [[[7, "p"]]],
}
_LIMITS = {
    "SELECT id, k FROM t ORDER BY x DESC, id LIMIT 1 BY k": [[2, "a"], [3, "b"]],
    "SELECT id FROM t ORDER BY id LIMIT 1 OFFSET 1 BY k LIMIT 1": [[2]],
    "SELECT k, x FROM t ORDER BY x DESC LIMIT 1 WITH TIES": [["a", 20], ["b", 20]],
    "SELECT id FROM t ORDER BY x LIMIT 1 OFFSET 2 WITH TIES": [[2], [3]],
    "SELECT DISTINCT ON (k) k, id FROM t ORDER BY id DESC": [["b", 4], ["a", 2]],
    "SELECT k, sum(x) + 1 AS s FROM t GROUP BY ALL ORDER BY ALL": [["a", 31], ["b", 26]],
    "SELECT k, count() FROM t GROUP BY 1 ORDER BY 1 DESC": [["b", 2], ["a", 2]],
    "SELECT sum(x) FILTER (WHERE k = 'a') AS s FROM t": [[30]],
    "SELECT k, x, count() AS c FROM t GROUP BY k, x WITH ROLLUP ORDER BY k, x, c": [
        *(["", 0, 4], ["a", 0, 2], ["a", 10, 1], ["a", 20, 1]),
        *(["b", 0, 2], ["b", 5, 1], ["b", 20, 1]),
    ],
    "SELECT k, sum(x) AS s FROM t GROUP BY CUBE(k) ORDER BY s": [["b", 25], ["a", 30], ["", 55]],
    "SELECT k, x, count() AS c FROM t GROUP BY GROUPING SETS ((k), (x)) ORDER BY k, x": [
        *(["", 5, 1], ["", 10, 1], ["", 20, 2], ["a", 0, 2], ["b", 0, 2]),
    ],
    "SELECT id FROM t PREWHERE x = 20 WHERE k = 'b'": [[3]],
}
_WINDOWS = {
    "SELECT id, sum(x) OVER (PARTITION BY k ORDER BY id) AS s FROM t ORDER BY id": [
        [1, 10],
        [2, 30],
        [3, 20],
        [4, 25],
    ],
    "SELECT id, rank() OVER w AS r, dense_rank() OVER w AS d, row_number() OVER (ORDER BY id) AS n "
    "FROM t WINDOW w AS (ORDER BY x) ORDER BY id": [
        [1, 2, 2, 1],
        [2, 3, 3, 2],
        [3, 3, 3, 3],
        [4, 1, 1, 4],
    ],
    "SELECT id, lagInFrame(x) OVER (ORDER BY id) AS p, lead(x, 1, -1) OVER (ORDER BY id) AS q, "
    "count() OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS c FROM t ORDER BY id": [
        [1, 0, 20, 1],
        [2, 10, 20, 2],
        [3, 20, 5, 2],
        [4, 20, -1, 2],
    ],
    "SELECT id, leadInFrame(x) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) "
    "AS q FROM t ORDER BY id": [[1, 20], [2, 20], [3, 5], [4, 0]],
    "SELECT k, sum(sum(x)) OVER (ORDER BY k) AS s FROM t GROUP BY k ORDER BY k": [
        ["a", 30],
        ["b", 55],
    ],
}


def test_queries_without_tables_answer_in_the_order_of_the_script(warehouse: Warehouse) -> None:
    """The first takes longest; what follows one that fails is not shown."""
    counts = (300_000, 1, 20_000, 1, 1)
    asked = [
        f"SELECT count() FROM (SELECT 1) ARRAY JOIN range({n}) AS x FORMAT TSV;" for n in counts
    ]
    assert warehouse.run("".join(asked)) == list(counts)
    broken = "SELECT toInt64(concat('x', toString(1))) FORMAT TSV;"
    with pytest.raises(PenstockError):
        warehouse.run(asked[2] + broken + asked[1])
    assert warehouse.shown() == "20000\n"


_FUNCTIONS = {
    "SELECT number, number * 2 FROM numbers(2, 3) ORDER BY number": [[2, 4], [3, 6], [4, 8]],
    "SELECT count() FROM numbers(4) AS n JOIN t ON t.id = n.number": [[3]],
    "SELECT dummy, NULL AS n FROM system.one": [[0, None]],
}
ASKED = {
    **_FUNCTIONS,
    **JOINS,
    **NULLS,
    **_ARRAYS,
    **_LIMITS,
    **_WINDOWS,
    **NEAREST,
    **_QUALIFIED,
    **EITHER,
    **_FILLED,
}


def test_queries_give_clickhouse_rows(warehouse: Warehouse) -> None:
    script = "".join(f"{query} FORMAT JSONCompact;\n" for query in (*ASKED, *NAMES))
    answers = _documents(warehouse.text(TABLES + script))
    rows = [answer["data"] for answer in answers[: len(ASKED)]]
    assert dict(zip(ASKED, rows, strict=True)) == ASKED
    metas = [answer["meta"] for answer in answers[len(ASKED) :]]
    names = [[column["name"] for column in meta] for meta in metas]
    assert dict(zip(NAMES, names, strict=True)) == NAMES


def test_names_stand_for_expressions(warehouse: Warehouse) -> None:
    script = "".join(f"{query} FORMAT JSONCompact;\n" for query in NAMED)
    answers = _documents(warehouse.text(TABLE + script))
    found = [([one["name"] for one in a["meta"]], a["data"]) for a in answers]
    assert dict(zip(NAMED, found, strict=True)) == NAMED


def _documents(text: str) -> list[Any]:
    """One JSON after the other."""
    found, at = [], 0
    while at < len(text.rstrip()):
        document, end = json.JSONDecoder().raw_decode(text, at)
        found.append(document)
        at = end + 1
    return found
