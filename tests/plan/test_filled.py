"""Materialized views with `TO`: who asks them asks the table that they fill, as in ClickHouse."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from penstock.connectors.system import RowsSource
from penstock.plan.clickhouse.serve import views_of
from penstock.plan.walk import scans

if TYPE_CHECKING:
    from tests.plan.warehouse import Scripts

_TABLES = """CREATE DATABASE d;
CREATE TABLE src (n Int64) ENGINE = MergeTree ORDER BY n;
CREATE TABLE t (n Int64, x Int8 DEFAULT 3) ENGINE = ReplacingMergeTree ORDER BY n;
CREATE MATERIALIZED VIEW v TO t AS SELECT n FROM src;
"""


@pytest.fixture
def filled(scripts: Scripts) -> Scripts:
    scripts.run(_TABLES)
    return scripts


@pytest.mark.parametrize("asked", ["v", "default.v", "v AS a", "(SELECT n FROM v)"])
def test_a_query_of_a_view_is_one_of_its_table(filled: Scripts, asked: str) -> None:
    for script in (f"SELECT * FROM {asked};", f"SELECT count() FROM {asked};"):
        (query,) = filled.plan(script).queries
        assert [scan.table for scan in scans(query.input)] == ["t"]
    (query,) = filled.plan(f"SELECT * FROM {asked};").queries
    assert [name for name, _ in query.columns] == ["n"]
    assert "UNKNOWN_COLUMN" in filled.refused(f"SELECT x FROM {asked};")


def test_a_view_is_merged_as_its_table_is(filled: Scripts) -> None:
    plans = (filled.plan(f"SELECT n FROM {name} FINAL;") for name in ("t", "v"))
    ((of_table,), (of_view,)) = (scans(plan.queries[0].input) for plan in plans)
    assert of_view.spec == of_table.spec
    assert of_view.spec != scans(filled.plan("SELECT n FROM v;").queries[0].input)[0].spec


def test_a_view_of_a_view_is_one_of_its_table(filled: Scripts) -> None:
    filled.run("CREATE VIEW p AS SELECT n FROM v; INSERT INTO t (n) VALUES (1);")
    for name in ("p", "v", "t"):
        (query,) = filled.plan(f"USE d; SELECT n FROM default.{name};").queries
        assert [scan.table for scan in scans(query.input)] == ["t"]


@pytest.mark.parametrize("statement", ["INSERT INTO v VALUES (7);", "INSERT INTO v SELECT 7;"])
@pytest.mark.parametrize("used", ["", "USE d; "])
def test_what_is_inserted_into_a_view_is_in_its_table(
    filled: Scripts, statement: str, used: str
) -> None:
    script = used + (statement.replace("v", "default.v", 1) if used else statement)
    plan = filled.plan(script, keeps=True)
    assert [query.sink_table for query in plan.queries if query.id != "v"] == ["t"]
    assert filled.refused(script.replace("7", "7, 8"), keeps=True)


def test_other_statements_are_for_the_table_itself(filled: Scripts) -> None:
    plan = filled.plan("TRUNCATE TABLE v;", keeps=True)
    assert [type(step.action).__name__ for step in plan.steps] == ["Keep"]
    assert "leaves the rows of `t`" in plan.notes[0]
    for script in ("ALTER TABLE v DELETE WHERE n = 7;", "OPTIMIZE TABLE v;"):
        assert "MATERIALIZED VIEW targets existing table `t`" in filled.refused(script)
    made = "CREATE MATERIALIZED VIEW w TO t AS SELECT n FROM v;"
    assert "rows that come to `t`" in filled.refused(made)
    (described,) = filled.plan("DESCRIBE v;").results
    assert [row[0] for row in described.rows] == ["n"]


def test_a_view_without_its_table_is_not_asked(filled: Scripts) -> None:
    assert filled.refused("DETACH TABLE v; SELECT n FROM v;").startswith("UNKNOWN_TABLE")
    filled.run("DROP TABLE t;")
    for script in ("SELECT n FROM v;", "INSERT INTO v VALUES (1);"):
        assert "UNKNOWN_TABLE: There is no table or view `t`" in filled.refused(script)


def _columns(scripts: Scripts, name: str) -> list[str]:
    plan = scripts.plan(f"DESCRIBE {name}; SELECT table, name FROM system.columns;", keeps=True)
    source = scans(plan.queries[-1].input)[0].spec.source
    assert isinstance(source, RowsSource)
    rows = json.loads(source.rows)
    listed = [row["name"] for row in rows if row["table"] == name]
    assert listed == [row[0] for row in plan.results[0].rows]
    return listed


def test_a_star_that_grows_leaves_out_what_the_table_of_its_view_has_not(filled: Scripts) -> None:
    """As in ClickHouse 26.9, which refuses it only when the view is made."""
    filled.run("CREATE MATERIALIZED VIEW w TO t AS SELECT * FROM src;")
    for script, columns in (
        ("ALTER TABLE src ADD COLUMN more String;", ["n"]),
        ("ALTER TABLE t ADD COLUMN other String;", ["n"]),
        ("ALTER TABLE t ADD COLUMN more String;", ["n", "more"]),
    ):
        filled.run(script)
        assert _columns(filled, "w") == columns
        (_, query) = views_of(filled.warehouse, filled.overrides, ()).queries
        assert ("more" in dict(query.columns)) == ("more" in columns)
    made = "CREATE MATERIALIZED VIEW x TO t AS SELECT * FROM src;"
    refused = filled.refused(f"ALTER TABLE src ADD COLUMN last Int8;{made}")
    assert "Column `last` of table `t` does not exist" in refused
    other = "ALTER TABLE v MODIFY QUERY SELECT n, n AS x FROM src; ALTER TABLE t DROP COLUMN x;"
    assert "Column `x` of table `t` does not exist" in filled.refused(other)


_LEFT_OUT = """CREATE TABLE q (x Int64, y Int64, `n.a` Array(Int64)) ENGINE = MergeTree ORDER BY x;
CREATE TABLE dst (x Int64, y Int64, `plus(y, 1)` Int64, `n.a` Array(Int64))
ENGINE = MergeTree ORDER BY x;
"""


@pytest.mark.parametrize(
    ("query", "change"),
    [
        ("SELECT * EXCEPT (y, n.a), plus(y, 1) FROM q", 'RENAME COLUMN "plus(y, 1)" TO z'),
        ("SELECT * EXCEPT (y, n.a), q.y + 1 FROM q", 'RENAME COLUMN "plus(y, 1)" TO z'),
        ("SELECT * EXCEPT (n.a), n.a FROM q", "DROP COLUMN `n.a`"),
        ("SELECT * REPLACE (y * 2 AS y) FROM q", "DROP COLUMN y"),
        ("SELECT * FROM (SELECT x, y * 2 AS y FROM q)", "DROP COLUMN y"),
        ("WITH c AS (SELECT x, y * 2 AS y FROM q) SELECT * FROM c", "DROP COLUMN y"),
        ("SELECT * FROM p", "DROP COLUMN y"),
        ("SELECT * FROM q", "DROP COLUMN y"),
        ("SELECT q.* FROM q", "RENAME COLUMN y TO z"),
        ("SELECT * FROM q", ""),
    ],
)
def test_no_column_that_a_view_filled_is_left_out(
    scripts: Scripts, query: str, change: str
) -> None:
    plain = "CREATE VIEW p AS SELECT x, y * 2 AS y FROM q;"
    scripts.run(f"{_LEFT_OUT}{plain}CREATE MATERIALIZED VIEW w TO dst AS {query};")
    alter = f"ALTER TABLE dst {change};"
    # Also where nothing tells any more that it was filled: what is written is.
    again = "DETACH TABLE w;", "ATTACH TABLE w;"
    replaced = "CREATE OR REPLACE TABLE dst (x Int64) ENGINE = MergeTree ORDER BY x;"
    said = scripts.refused(alter if change else replaced)
    assert said.startswith("INVALID_QUERY: Column `")
    assert "of table `dst` does not exist" in said
    if query not in ("SELECT * FROM q", "SELECT q.* FROM q"):
        assert "does not exist" in scripts.refused(alter.join(again))


def test_what_a_view_leaves_out_is_told(scripts: Scripts) -> None:
    scripts.run(f"{_LEFT_OUT}CREATE MATERIALIZED VIEW w TO dst AS SELECT * FROM q;")
    plan = scripts.plan("ALTER TABLE q ADD COLUMN more Int8; SELECT 1;", keeps=True)
    assert [note for note in plan.notes if "leaves out" in note] == [
        "1:13: The view `w` leaves out `more`: `dst` has not."
    ]
    again = "DROP TABLE dst; CREATE TABLE dst (x Int64) ENGINE = Log;"
    (note,) = scripts.plan(again, keeps=True).notes
    assert note.endswith("The view `w` leaves out `n.a`, `y`: `dst` has not.")


@pytest.mark.parametrize(("items", "at"), [("x + 1 AS b, *", "`c0`"), ("*, x + 1 AS b", "`c2`")])
def test_what_is_written_wins_over_a_star(scripts: Scripts, items: str, at: str) -> None:
    scripts.run(
        "CREATE TABLE q (x Int64) ENGINE = Log; CREATE TABLE dst (x Int64, b Int64) ENGINE = Log;"
        f"CREATE MATERIALIZED VIEW w TO dst AS SELECT {items} FROM q;"
        "ALTER TABLE q ADD COLUMN b Int64;"
    )
    (query,) = views_of(scripts.warehouse, scripts.overrides, ()).queries
    assert dict(query.columns)["b"].sql == at


@pytest.mark.parametrize("first", ["q", "dst"])
def test_a_view_does_not_fill_an_alias(scripts: Scripts, first: str) -> None:
    """As ClickHouse 26.9: also where `*` gets a column of its name."""
    alters = {
        "q": "ALTER TABLE q ADD COLUMN more Int8;",
        "dst": "ALTER TABLE dst ADD COLUMN more Int64 ALIAS x + 1;",
    }
    scripts.run(
        "CREATE TABLE q (x Int64) ENGINE = Log; CREATE TABLE dst (x Int64) ENGINE = Log;"
        f"CREATE MATERIALIZED VIEW w TO dst AS SELECT * FROM q;{alters.pop(first)}"
    )
    (alter,) = alters.values()
    scripts.run(alter)
    (query,) = views_of(scripts.warehouse, scripts.overrides, ()).queries
    assert [name for name, _ in query.columns] == ["x"]
    created = "CREATE MATERIALIZED VIEW other TO dst AS SELECT * FROM q;"
    assert "`more` of table `dst` does not exist or cannot be filled" in scripts.refused(created)
