"""Tables at rest without Kafka: what statements do to their rows, and chains of views."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from penstock import PenstockError
from penstock.catalog import warehouse as catalog
from penstock.spark.delta import StoredTable

if TYPE_CHECKING:
    from tests.clickhouse.warehouse import Warehouse

pytestmark = pytest.mark.spark


def test_rows_stay_and_follow_their_columns(warehouse: Warehouse) -> None:
    create = """
        CREATE TABLE t (id UInt64, name String, at DateTime('UTC'), tags Array(String),
            `e.x` Nullable(Int32), p Tuple(a Int8, b String)) ENGINE = MergeTree ORDER BY id;
        INSERT INTO t VALUES (1, 'a', '2024-05-01 10:00:00', ['x'], NULL, (1, 'y')),
            (18446744073709551615, 'b', 0, [], 7, (2, ''));
        INSERT INTO t (id) SELECT id + 1 FROM t WHERE id = 1;
        SELECT * FROM t ORDER BY id FORMAT JSONCompactEachRow;
    """
    rows = [
        [1, "a", "2024-05-01 10:00:00", ["x"], None, {"a": 1, "b": "y"}],
        [2, "", "1970-01-01 00:00:00", [], None, {"a": 0, "b": ""}],
        [18446744073709551615, "b", "1970-01-01 00:00:00", [], 7, {"a": 2, "b": ""}],
    ]
    assert warehouse.run(create) == rows
    added = """
        ALTER TABLE t ADD COLUMN topic String, DROP COLUMN tags, RENAME COLUMN name TO title;
        INSERT INTO t (id, topic) VALUES (3, 'k');
        SELECT id, title, topic, `e.x` FROM t WHERE id < 4 ORDER BY id FORMAT JSONCompactEachRow;
    """
    assert warehouse.run(added) == [[1, "a", "", None], [2, "", "", None], [3, "", "k", None]]
    made_anew = """
        ALTER TABLE t MODIFY COLUMN `e.x` String, ADD COLUMN long UInt64 DEFAULT length(title) + 1;
        RENAME TABLE t TO u;
        OPTIMIZE TABLE u FINAL;
        SELECT long, `e.x`, topic FROM u WHERE id = 1 OR id > 10 ORDER BY id
        FORMAT JSONCompactEachRow;
    """
    assert warehouse.run(made_anew) == [[2, "", ""], [2, "7", ""]]
    assert warehouse.folders() == ["t"]
    emptied = "TRUNCATE TABLE u; SELECT count() AS c FROM u FORMAT JSONEachRow; DROP TABLE u;"
    assert warehouse.run(emptied) == [{"c": 0}]
    assert warehouse.folders() == []
    with pytest.raises(PenstockError) as caught:
        warehouse.run("SELECT * FROM u")
    assert caught.value.code == "UNKNOWN_TABLE"


def test_a_view_is_asked_for_the_rows_of_its_table(warehouse: Warehouse) -> None:
    """What ClickHouse 26.9 answers; its TRUNCATE of such a view does nothing, too."""
    script = """
        CREATE TABLE src (n Int64) ENGINE = MergeTree ORDER BY n;
        CREATE TABLE t (n Int64, x Int8 DEFAULT 3) ENGINE = MergeTree ORDER BY n;
        CREATE MATERIALIZED VIEW v TO t AS SELECT n FROM src;
        INSERT INTO src VALUES (1), (2);
        INSERT INTO v VALUES (7);
        INSERT INTO v SELECT 8;
        TRUNCATE TABLE v;
        SELECT v.* FROM v ORDER BY n FORMAT JSONCompactEachRow;
        SELECT count() FROM v AS a JOIN t USING (n) WHERE x = 3 FORMAT JSONCompactEachRow;
    """
    assert warehouse.run(script) == [[1], [2], [7], [8], [4]]


def test_a_table_is_replaced_at_once_or_stays(warehouse: Warehouse) -> None:
    """As ClickHouse 26.9 does it: a query may read what it replaces."""
    into = "CREATE OR REPLACE TABLE q ENGINE = MergeTree ORDER BY x AS SELECT"
    warehouse.run(f"{into} 1 AS x; {into} x + 1 AS x FROM q;")
    with pytest.raises(PenstockError, match="throwIf"):
        warehouse.run(f"{into} throwIf(1) AS x FROM q;")
    assert warehouse.run("SELECT x FROM q FORMAT JSONCompactEachRow;") == [[2]]
    # A view of it sees what is inserted, not what the new one is filled with.
    seen = f"""
        CREATE TABLE d (x Int64) ENGINE = Log;
        CREATE MATERIALIZED VIEW v TO d AS SELECT x FROM q;
        {into} x FROM q;
        INSERT INTO q VALUES (7);
        SELECT x FROM d FORMAT JSONCompactEachRow;
    """
    assert warehouse.run(seen) == [[7]]


def test_an_insert_goes_through_a_chain_of_views(warehouse: Warehouse) -> None:
    made = """
        CREATE TABLE a (n Int64) ENGINE = MergeTree ORDER BY n;
        CREATE TABLE b (n Int64) ENGINE = MergeTree ORDER BY n;
        CREATE TABLE c (s Int64) ENGINE = MergeTree ORDER BY s;
        INSERT INTO a VALUES (1);
        CREATE MATERIALIZED VIEW v TO b AS SELECT n * 10 AS n FROM a;
        CREATE MATERIALIZED VIEW w TO c AS SELECT sum(n) AS s FROM b;
        INSERT INTO a VALUES (2), (3);
        OPTIMIZE TABLE a;
        SELECT n FROM b ORDER BY n FORMAT JSONCompactEachRow;
        SELECT s FROM c FORMAT JSONCompactEachRow;
    """
    assert warehouse.run(made) == [[20], [30], [50]]
    warehouse.run("TRUNCATE TABLE a; INSERT INTO a VALUES (4);")
    views = """
        ATTACH TABLE IF NOT EXISTS a;
        DETACH TABLE b;
        ATTACH TABLE b;
        SELECT n FROM b ORDER BY n;
        SELECT sum(s) AS total, count() AS `rows` FROM c FORMAT Vertical;
    """
    shown = warehouse.text(views)
    assert "│ 40 │" in shown
    assert "total: 90\nrows:  2\n" in shown


def test_a_view_whose_creation_broke_off_reads_nothing_old(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = """
        CREATE TABLE a (n Int64) ENGINE = MergeTree ORDER BY n;
        CREATE TABLE b (n Int64) ENGINE = MergeTree ORDER BY n;
    """
    view = "CREATE MATERIALIZED VIEW v TO b AS SELECT n FROM a;"
    shown = "SELECT n FROM b ORDER BY n FORMAT JSONCompactEachRow;"
    warehouse.run(made + "INSERT INTO a VALUES (1);")

    def crash(table: StoredTable) -> int:
        raise OSError("The disk is gone.")

    with monkeypatch.context() as broken:
        broken.setattr(StoredTable, "mark", crash)
        with pytest.raises(OSError, match="The disk is gone"):
            warehouse.run(view)
    known = [one.name for one in catalog.Warehouse(warehouse.folder).read().objects]
    assert known == ["a", "b"]
    assert warehouse.run(f"{view}INSERT INTO a VALUES (2);{shown}") == [[2]]
    # Without the note of where it began it guesses nothing.
    (warehouse.folder / "queries/v/versions.json").unlink()
    with pytest.raises(PenstockError) as caught:
        warehouse.run(f"{view}INSERT INTO a VALUES (3);{shown}")
    assert caught.value.code == "VIEW_NOT_BEGUN"
    assert "`v`" in str(caught.value)


def test_an_alter_that_broke_off_is_done_again(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = "CREATE TABLE a (n Int64, s String, o Int8) ENGINE = MergeTree ORDER BY n;"
    warehouse.run(f"{made}INSERT INTO a VALUES (1, 'x', 2);")

    def crash(kept: catalog.Warehouse, definitions: object) -> None:
        raise OSError("The disk is gone.")

    for alter in (
        "DROP COLUMN o, RENAME COLUMN s TO o, ADD COLUMN m Int8",
        "MODIFY COLUMN m String, RENAME COLUMN o TO p",
    ):
        with monkeypatch.context() as broken:
            broken.setattr(catalog.Warehouse, "write", crash)
            with pytest.raises(OSError, match="The disk is gone"):
                warehouse.run(f"ALTER TABLE a {alter};")
        warehouse.run(f"ALTER TABLE a {alter};")
    assert warehouse.run("SELECT * FROM a FORMAT JSONEachRow;") == [{"n": 1, "p": "x", "m": "0"}]


def test_rows_of_one_key_are_merged_where_final_is_written(warehouse: Warehouse) -> None:
    replaced = """
        CREATE TABLE r (id UInt64, v UInt32, gone UInt8, name String)
        ENGINE = ReplacingMergeTree(v, gone) ORDER BY id;
        CREATE TABLE l (id UInt64, name String) ENGINE = ReplacingMergeTree ORDER BY (id);
        CREATE TABLE s (day Date, level String, total UInt64, x Float64)
        ENGINE = SummingMergeTree ORDER BY (day, level);
        INSERT INTO r VALUES (1, 2, 0, 'new'), (2, 1, 0, 'b'), (3, 1, 0, 'c');
        INSERT INTO r VALUES (1, 1, 0, 'old'), (3, 2, 1, '');
        INSERT INTO l VALUES (1, 'first'), (1, 'second');
        INSERT INTO l VALUES (1, 'third');
        INSERT INTO s VALUES ('2024-05-01', 'a', 2, 0.5), ('2024-05-01', 'b', 0, 0);
        INSERT INTO s VALUES ('2024-05-01', 'a', 3, 1);
        SELECT id, name FROM r FINAL ORDER BY id FORMAT JSONCompactEachRow;
        SELECT name FROM l FINAL FORMAT JSONCompactEachRow;
        SELECT level, total, x FROM s FINAL ORDER BY level FORMAT JSONCompactEachRow;
        SELECT count() FROM r FORMAT JSONCompactEachRow;
        OPTIMIZE TABLE r FINAL;
        INSERT INTO r VALUES (2, 1, 0, 'later');
        SELECT id, name FROM r FINAL ORDER BY id FORMAT JSONCompactEachRow;
        SELECT count() FROM r FORMAT JSONCompactEachRow;
    """
    before = [[1, "new"], [2, "b"], ["third"], ["a", 5, 1.5], [5]]
    assert warehouse.run(replaced) == [*before, [1, "new"], [2, "later"], [4]]


def test_rows_that_are_made_anew_stay_in_their_order(warehouse: Warehouse) -> None:
    """The many rows of the second INSERT are read before the one of the first."""
    script = """
        CREATE TABLE r (`my-key` UInt64, v String) ENGINE = ReplacingMergeTree ORDER BY `my-key`;
        CREATE TABLE `p.1` (k UInt64, v String, m UInt8) ENGINE = ReplacingMergeTree
        PARTITION BY k % 2 ORDER BY k;
        INSERT INTO r VALUES (1, 'old');
        INSERT INTO r SELECT number, concat('new', repeat('x', 50)) FROM numbers(5000);
        INSERT INTO `p.1` VALUES (1, 'old', 5);
        INSERT INTO `p.1` SELECT `my-key`, v, 5 FROM r WHERE v <> 'old';
        ALTER TABLE r ADD COLUMN `m``n` UInt8 DEFAULT 5;
        ALTER TABLE `p.1` MODIFY COLUMN m UInt16;
        SELECT sum(`m``n`), anyIf(substring(v, 1, 3), `my-key` = 1) FROM r FINAL
        FORMAT JSONCompactEachRow;
        SELECT sum(m), anyIf(substring(v, 1, 3), k = 1) FROM `p.1` FINAL
        FORMAT JSONCompactEachRow;
    """
    assert warehouse.run(script) == [[25000, "new"], [25000, "new"]]


def test_files_know_the_limits_of_key_columns_only(warehouse: Warehouse) -> None:
    warehouse.run("""
        CREATE TABLE t (id UInt64, at DateTime('UTC'), `a b` String, tags Array(String), day Date)
        ENGINE = MergeTree PARTITION BY day ORDER BY (toDate(at), `a b`, tags);
        CREATE TABLE u (id UInt64) ENGINE = MergeTree ORDER BY tuple();
        INSERT INTO t VALUES (1, '2024-05-01 10:00:00', 'x', [], '2024-05-01');
        INSERT INTO u VALUES (1);
    """)
    assert _indexed(warehouse) == {"t": ["2024-05-01", "2024-05-01T10:00:00.000Z", "x"], "u": []}
    found = warehouse.run("SELECT id FROM t WHERE `a b` = 'x' AND id < 2 FORMAT JSONEachRow")
    assert found == [{"id": 1}]


def _indexed(warehouse: Warehouse) -> dict[str, list[str]]:
    """The least values of columns that the log of each table has of its last file."""
    found = {}
    for log in warehouse.folder.rglob("_delta_log"):
        newest = max(log.glob("*.json")).read_text().splitlines()
        (added,) = (json.loads(line)["add"] for line in newest if '"add"' in line)
        stats = json.loads(added["stats"])
        assert stats["numRecords"] == 1
        name = log.parent.name.rpartition("-")[0]
        found[name] = sorted(stats.get("minValues", {}).values())
    return found
