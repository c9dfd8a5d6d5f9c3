"""INSERT into tables at rest: rows in the script, in every format, and columns with defaults."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from penstock import PenstockError

if TYPE_CHECKING:
    from tests.clickhouse.warehouse import Warehouse

pytestmark = pytest.mark.spark

_TABLE = """
    CREATE TABLE d (
        id UInt64, e Enum8('a' = 1, 'b' = 2), ts DateTime('Asia/Tokyo'),
        day Date DEFAULT toDate(ts),
        x String DEFAULT toString(day), m String MATERIALIZED concat(toString(id), '-', x),
        f FixedString(4), k UInt8 EPHEMERAL 5, z UInt64 DEFAULT k + 1, al UInt64 ALIAS id + 1,
        n Nested(a UInt8, b String), t Tuple(p Int8, q String), lc LowCardinality(String),
        arr Array(UInt8) DEFAULT [1, 2], format String
    ) ENGINE = MergeTree ORDER BY id;
"""
_INSERTS = (
    """INSERT INTO d (id, e, ts, day) VALUES
        (1, 'a', '2024-01-01 23:00:00', DEFAULT), (2, 2, 0, '2024-02-02')""",
    "INSERT INTO d (id, k, f) VALUES (3, 9, 'xy'), (18446744073709551614, DEFAULT, 'wxyz')",
    """INSERT INTO d (id, e, ts, x, n.a, n.b, t, arr) FORMAT JSONEachRow
        {"id": 4, "e": 2, "ts": "2024-03-01 00:00:00", "n.a": [1, 2], "n.b": ["p; q", ""]}
        {"id": "5", "e": "b", "x": null, "t": {"p": -1, "q": "'"}, "arr": null, "unknown": 1}
        {"id": 6}
        """,
    """INSERT INTO d (id, lc, day, x, t, arr) SETTINGS format_csv_delimiter = '|' FORMAT CSV
7|"a ""b"" "|2024-05-05||-3|u|"[3,4]"
8|c||y|4|v|
""",
    """INSERT INTO d (id, lc, ts, arr) FORMAT TSV
9\tsplit\\tup\t1714557600\t[]
10\t\t2024-05-01 10:00:00\t[9]
""",
    "INSERT INTO d (id, x, z) SELECT id + 10, if(id = 1, NULL, 'given'), id FROM d WHERE id < 3 "
    "FORMAT JsonEachRow",
    "INSERT INTO d (id, format) FORMAT Values (20, 'v'), (21, lower('W'))",
    "INSERT INTO d (id, n.b) VALUES (30, ['only b'])",
)
_SHOWN = "id, e, ts, day, x, m, hex(f), z, al, n.a, n.b, t, lc, arr, format"
# What ClickHouse 26.9 has after the same statements.
_ROWS = Path(__file__).parent / "inserts.jsonl"


def test_rows_of_the_script_with_their_defaults(warehouse: Warehouse) -> None:
    select = f"SELECT {_SHOWN} FROM d ORDER BY id FORMAT JSONCompactEachRow;"
    script = _TABLE + ";\n".join(_INSERTS) + ";\n" + select
    assert warehouse.run(script) == [json.loads(line) for line in _ROWS.read_text().splitlines()]


def test_decimals_of_the_script_keep_every_digit(warehouse: Warehouse) -> None:
    script = """
        CREATE TABLE p (
            a Decimal(12, 2), b Array(Decimal(5, 2)), c Map(String, Decimal(5, 2)),
            d Tuple(Decimal(5, 2), Int8), e Nullable(Decimal(38, 0))
        ) ENGINE = Memory;
        INSERT INTO p VALUES
            (1234567.89, [1.15, -4.35, 1], {'x': 0.29}, (0.29, 1), 123456789012345678901234567890);
        SELECT * FROM p FORMAT TSV;
        SELECT 2.675::Decimal(5, 2), -4.35::Decimal(5, 2), [1.15]::Array(Decimal(5, 2)) FORMAT TSV;
    """
    assert warehouse.text(script).splitlines() == [
        "1234567.89\t[1.15,-4.35,1]\t{'x':0.29}\t(0.29,1)\t123456789012345678901234567890",
        "2.67\t-4.35\t[1.15]",
    ]


@pytest.mark.parametrize(
    ("insert", "code", "says"),
    [
        ('(id) FORMAT JSONEachRow {"id": x}', "BAD_MESSAGE", "id"),
        ("(n.a, n.b) VALUES ([1], [])", "", "n.a"),
        ("FORMAT Parquet x", "UNKNOWN_FORMAT", "Parquet"),
        ("(id) FORMAT CSV", "INVALID_QUERY", "no data"),
        ("(al) VALUES (1)", "INVALID_QUERY", "al"),
    ],
)
def test_rows_that_cannot_be_inserted(
    insert: str, code: str, says: str, warehouse: Warehouse
) -> None:
    with pytest.raises(PenstockError) as caught:
        warehouse.run(f"{_TABLE} INSERT INTO d {insert};")
    assert says in str(caught.value)
    assert caught.value.code == (code or caught.value.code)
