"""What ClickHouse answers to joins of the tables of `test_queries_at_rest`: query → its rows.

Without ORDER BY they are in any order.
"""

from __future__ import annotations

JOINS = {
    "SELECT t.id, v, at FROM t LEFT JOIN u ON t.id = u.id WHERE t.id <> 1 ORDER BY t.id": [
        [2, "", None],
        [3, "three", None],
        [4, "", None],
    ],
    "SELECT t.id, u.id, k FROM t RIGHT JOIN u ON t.id = u.id WHERE v <> 'uno' ORDER BY u.id": [
        [1, 1, "a"],
        [3, 3, "b"],
        [0, 9, ""],
    ],
    "SELECT t.id + u.id AS s, count() FROM t FULL OUTER JOIN u ON t.id = u.id GROUP BY s "
    "ORDER BY s": [[2, 3], [4, 1], [6, 1], [9, 1]],
    "SELECT count(), sum(t.id) FROM t LEFT ANY JOIN u ON t.id = u.id": [[4, 10]],
    "SELECT id, k FROM t ANY RIGHT JOIN u USING (id) ORDER BY id": [
        [1, "a"],
        [1, "a"],
        [3, "b"],
        [9, ""],
    ],
    "SELECT id, x FROM t ANY INNER JOIN u USING id ORDER BY id": [[1, 10], [3, 20]],
    "SELECT t.id FROM t LEFT SEMI JOIN u ON t.id = u.id ORDER BY t.id": [[1], [3]],
    "SELECT id, v FROM t ANTI LEFT JOIN u USING id ORDER BY id": [[2, ""], [4, ""]],
    "SELECT u.id, v, k FROM t RIGHT ANTI JOIN u ON t.id = u.id": [[9, "nine", ""]],
    "SELECT a.id, b.id FROM t AS a CROSS JOIN u AS b WHERE a.id > 3 AND b.id > 3": [[4, 9]],
    "SELECT id FROM t WHERE id IN (SELECT id FROM u) ORDER BY id": [[1], [3]],
    "WITH (SELECT max(id) FROM t) AS m SELECT id FROM t WHERE id = m": [[4]],
    "SELECT k, (SELECT count() FROM u) AS c FROM t WHERE id = 1": [["a", 4]],
}
NULLS = {
    "SELECT t.id, v, at, arr, toTypeName(v) FROM t LEFT JOIN u ON t.id = u.id WHERE t.id > 1 "
    "ORDER BY t.id SETTINGS join_use_nulls = 1": [
        [2, None, None, [], "Nullable(String)"],
        [3, "three", None, [3], "Nullable(String)"],
        [4, None, None, [], "Nullable(String)"],
    ],
    "SELECT t.id, u.id, arr, toTypeName(t.id), toTypeName(arr) FROM t RIGHT JOIN u ON t.id = u.id "
    "WHERE u.id > 1 ORDER BY u.id SETTINGS join_use_nulls = 1": [
        [3, 3, [3], "Nullable(UInt64)", "Array(UInt8)"],
        [None, 9, [], "Nullable(UInt64)", "Array(UInt8)"],
    ],
    "SELECT id, t.id AS a, u.id AS b, v, toTypeName(id) FROM t FULL JOIN u USING id WHERE id > 3 "
    "ORDER BY id SETTINGS join_use_nulls = 1": [
        [4, 4, None, None, "Nullable(UInt64)"],
        [9, None, 9, "nine", "Nullable(UInt64)"],
    ],
    "SELECT id, v, u.id FROM t ANTI LEFT JOIN u USING id ORDER BY id SETTINGS join_use_nulls = 1": [
        [2, None, None],
        [4, None, None],
    ],
    "SELECT u.id, v, k FROM t RIGHT ANTI JOIN u ON t.id = u.id SETTINGS join_use_nulls = 1": [
        [9, "nine", None]
    ],
    "SELECT t.id, toTypeName(v) FROM t LEFT SEMI JOIN u ON t.id = u.id ORDER BY t.id "
    "SETTINGS join_use_nulls = 1": [[1, "Nullable(String)"], [3, "Nullable(String)"]],
    "SELECT t.id, v, toTypeName(v) FROM t ANY LEFT JOIN u ON t.id = u.id WHERE t.id = 2 "
    "SETTINGS join_use_nulls = 1": [[2, None, "Nullable(String)"]],
    "SELECT t.id, w.id FROM t ASOF LEFT JOIN w ON t.k = w.k AND w.x > t.x ORDER BY t.id "
    "SETTINGS join_use_nulls = 1": [[1, 3], [2, None], [3, None], [4, 4]],
    "SELECT t.id, count(v), count() FROM t LEFT JOIN u ON t.id = u.id GROUP BY t.id ORDER BY t.id "
    "SETTINGS join_use_nulls = 1": [[1, 2, 2], [2, 0, 1], [3, 1, 1], [4, 0, 1]],
    "SELECT id, v FROM (SELECT t.id AS id, v FROM t LEFT JOIN u ON t.id = u.id) WHERE id = 2 "
    "SETTINGS join_use_nulls = 1": [[2, None]],
    "SELECT id, v FROM (SELECT t.id AS id, v FROM t LEFT JOIN u ON t.id = u.id "
    "SETTINGS join_use_nulls = 0) WHERE id = 2 SETTINGS join_use_nulls = 1": [[2, ""]],
    "SELECT t.id, p, toTypeName(p) FROM t LEFT JOIN (SELECT id, (v, at) AS p FROM u) AS s "
    "ON t.id = s.id WHERE t.id > 2 ORDER BY t.id SETTINGS join_use_nulls = 1": [
        [3, ["three", None], "Nullable(Tuple(String, Nullable(Int8)))"],
        [4, None, "Nullable(Tuple(String, Nullable(Int8)))"],
    ],
}
# As ClickHouse 26.9 answers them.
NEAREST = {
    "SELECT t.id, w.id FROM t ASOF JOIN w ON t.k = w.k AND t.x >= w.x ORDER BY t.id": [
        *([1, 2], [2, 3], [3, 4]),
    ],
    "SELECT t.id, w.id, w.at FROM t LEFT ASOF JOIN w ON t.k = w.k AND w.x <= t.x ORDER BY t.id": [
        [1, 2, "2024-05-02 00:00:00"],
        [2, 3, "2024-05-03 00:00:00"],
        [3, 4, "2024-05-04 00:00:00"],
        [4, 0, "1970-01-01 00:00:00"],
    ],
    "SELECT t.id, w.id FROM t ASOF JOIN w ON t.k = w.k AND t.x > w.x ORDER BY t.id": [
        *([1, 1], [2, 3], [3, 4]),
    ],
    "SELECT t.id, w.id FROM t ASOF JOIN w ON t.k = w.k AND t.x <= w.x ORDER BY t.id": [
        *([1, 2], [4, 4]),
    ],
    "SELECT t.id, w.id FROM t ASOF LEFT JOIN w ON t.k = w.k AND w.x > t.x ORDER BY t.id": [
        *([1, 3], [2, 0], [3, 0], [4, 4]),
    ],
    "SELECT k, x, t.id, w.id, w.x FROM t ASOF JOIN w USING (k, x) ORDER BY t.id": [
        *(["a", 10, 1, 2, 10], ["a", 20, 2, 3, 15], ["b", 20, 3, 4, 6]),
    ],
    "SELECT toDayOfMonth(a.at), b.id FROM w AS a ASOF LEFT JOIN w AS b ON a.k = b.k "
    "AND a.at > b.at ORDER BY a.at": [[1, 0], [2, 1], [3, 2], [4, 0]],
}
EITHER = {
    "SELECT id, k, v FROM t FULL JOIN u USING (id) ORDER BY id, v": [
        *([1, "a", "one"], [1, "a", "uno"], [2, "a", ""], [3, "b", "three"]),
        *([4, "b", ""], [9, "", "nine"]),
    ],
    "SELECT t.id, u.id, id FROM t FULL JOIN u USING id ORDER BY t.id": [
        *([0, 9, 9], [1, 1, 1], [1, 1, 1], [2, 0, 2], [3, 3, 3], [4, 0, 4]),
    ],
    "SELECT id, count() FROM t FULL JOIN u USING id GROUP BY id ORDER BY id": [
        *([1, 2], [2, 1], [3, 1], [4, 1], [9, 1]),
    ],
    "SELECT id FROM t FULL JOIN u USING id FULL JOIN w USING id ORDER BY id": [
        *([1], [1], [2], [3], [4], [9]),
    ],
}
