"""Names that queries give to expressions, and what stands behind a dot; as ClickHouse answers."""

from __future__ import annotations

from typing import Any

TABLE = """
    CREATE TABLE named (id UInt64, s String, items Array(Tuple(name String, n UInt8)),
        m Map(String, UInt8), z Nullable(Int8), tp Tuple(x UInt8, y String)) ENGINE = MergeTree
    ORDER BY id;
    INSERT INTO named VALUES (1, '2024-05-01 00:00:00', [('i', 1), ('j', 2)], {'k': 5}, NULL,
        (3, 'w')), (2, '2024-05-02 00:00:00', [], {}, 4, (4, 'v'));
"""
# query → the names of its columns, its rows
NAMED: dict[str, tuple[list[str], list[Any]]] = {
    "WITH id + 1 AS x, x * 2 AS y SELECT x, x + 1, y FROM named ORDER BY x": (
        ["x", "plus(x, 1)", "y"],
        [[2, 3, 4], [3, 4, 6]],
    ),
    "SELECT x FROM (WITH id + 1 AS x SELECT DISTINCT x FROM named ORDER BY x)": (
        ["x"],
        [[2], [3]],
    ),
    "WITH 1 AS x SELECT x UNION ALL SELECT x": (["x"], [[1], [1]]),
    "WITH 3 AS x SELECT * FROM (SELECT x, x + 1)": (["x", "plus(x, 1)"], [[3, 4]]),
    "WITH tp AS x SELECT x.y, x.1 FROM named ORDER BY id": (
        ["x.y", "tupleElement(x, 1)"],
        [["w", 3], ["v", 4]],
    ),
    "SELECT item.name, item.2, upper(item.name) FROM named ARRAY JOIN items AS item ORDER BY 1": (
        ["item.name", "tupleElement(item, 2)", "upper(item.name)"],
        [["i", 1, "I"], ["j", 2, "J"]],
    ),
    "SELECT items.name, count() FROM named ARRAY JOIN items GROUP BY items.name ORDER BY 1": (
        ["items.name", "count()"],
        [["i", 1], ["j", 1]],
    ),
    "SELECT arrayJoin(items).1 AS e, arrayJoin(items) AS item, item.name FROM named ORDER BY e": (
        ["e", "item", "item.name"],
        [["i", {"name": "i", "n": 1}, "i"], ["j", {"name": "j", "n": 2}, "j"]],
    ),
    "SELECT (id, (s, 7)) AS x, x.1 + 1, x.2.2 FROM named ORDER BY x.1 LIMIT 1": (
        ["x", "plus(tupleElement(x, 1), 1)", "tupleElement(tupleElement(x, 2), 2)"],
        [[[1, ["2024-05-01 00:00:00", 7]], 2, 7]],
    ),
    "SELECT items.name, m.keys, m.values, z.null, items.size0, named.items.n FROM named "
    "ORDER BY id": (
        ["items.name", "m.keys", "m.values", "z.null", "items.size0", "items.n"],
        [[["i", "j"], ["k"], [5], 1, 2, [1, 2]], [[], [], [], 0, 0, []]],
    ),
    "SELECT m AS w, w.keys, tupleElement(items, 'n') FROM named WHERE id = 1": (
        ["w", "w.keys", "tupleElement(items, 'n')"],
        [[{"k": 5}, ["k"], [1, 2]]],
    ),
    "SELECT id, kv.1, kv.values, kv FROM named LEFT ARRAY JOIN m AS kv ORDER BY id": (
        ["id", "tupleElement(kv, 1)", "kv.values", "kv"],
        [[1, "k", 5, {"keys": "k", "values": 5}], [2, "", 0, {"keys": "", "values": 0}]],
    ),
    "SELECT toDate(parseDateTimeBestEffort(s) AS ts) AS day, ts, toDate(ts + 1 AS u) FROM named "
    "WHERE (id AS number) > 1 ORDER BY number": (
        ["day", "ts", "toDate(u)"],
        [["2024-05-02", "2024-05-02 00:00:00", "2024-05-02"]],
    ),
    "SELECT number, count() FROM named WHERE (id AS number) > 1 GROUP BY number": (
        ["number", "count()"],
        [[2, 1]],
    ),
    "SELECT 1 AS id, id AS b, b AS c FROM named": (["id", "b", "c"], [[1, 1, 1], [1, 1, 1]]),
    "SELECT z AS id, tp.x AS x, x + 1, id IS NULL FROM named ORDER BY x": (
        ["id", "x", "plus(x, 1)", "isNull(id)"],
        [[None, 3, 4, 1], [4, 4, 5, 0]],
    ),
    "SELECT named.id AS named, named.z, tp.x AS tp, tp.y FROM named ORDER BY named": (
        ["named", "z", "tp", "tp.y"],
        [[1, None, 3, "w"], [2, 4, 4, "v"]],
    ),
    "SELECT a.id AS id, id + 1 FROM named AS a JOIN named AS b ON a.id = b.id ORDER BY 1": (
        ["id", "plus(id, 1)"],
        [[1, 2], [2, 3]],
    ),
}
