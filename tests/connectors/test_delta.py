"""`delta`: a Delta table by its folder, read whole, as a stream or as a dimension, and added to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock import PenstockError
from penstock.catalog.connect import Overrides
from penstock.plan.engine import require_runnable
from penstock.plan.explain import explain
from penstock.plan.script import plan_script
from penstock.spark.sources.delta import first_commit
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from pathlib import Path

    from penstock.plan.query import ScriptPlan

ORDERS = (
    "CREATE TABLE orders (id INT, at AS PROCTIME() {key}) WITH ('connector' = '{connector}', "
    "'topic' = 'orders', 'properties.bootstrap.servers' = 'x:1', {formats});"
)
PLAIN = ORDERS.format(
    key="",
    connector="kafka",
    formats="'format' = 'json', 'scan.startup.mode' = 'earliest-offset'",
)
UPSERTS = ORDERS.format(
    key=", PRIMARY KEY (id) NOT ENFORCED",
    connector="upsert-kafka",
    formats="'key.format' = 'json', 'value.format' = 'json'",
)
SHOWN = "CREATE TABLE shown (id INT, name STRING) WITH ('connector' = 'print');"
UPSERTED = (
    "CREATE TABLE shown (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ("
    "'connector' = 'upsert-kafka', 'topic' = 'shown', 'properties.bootstrap.servers' = 'x:1', "
    "'key.format' = 'json', 'value.format' = 'json');"
)


def table(columns: str, options: str = "", name: str = "t") -> str:
    given = f"'connector' = 'delta', 'table-path' = '/lake/t'{options}"
    return f"CREATE TABLE {name} ({columns}) WITH ({given});"


def planned(text: str, **bindings: str) -> ScriptPlan:
    return plan_script(parse(text, None), name="job", overrides=Overrides(bindings=bindings))


REFUSED = {
    table("id INT", ", 'path' = '/lake/t'"): "UNKNOWN_OPTION",
    "CREATE TABLE t (id INT) WITH ('connector' = 'delta', 'path' = 'x');": "MISSING_OPTION",
    table("id INT", ", 'mode' = 'fast'"): "INVALID_OPTION_VALUE",
    table("id INT", ", 'startingVersion' = '3'"): "CONFLICTING_OPTIONS",
    table("id INT", ", 'mode' = 'streaming', 'versionAsOf' = '3'"): "CONFLICTING_OPTIONS",
    table("id INT", ", 'versionAsOf' = '3', 'timestampAsOf' = '2024-01-01'"): "CONFLICTING_OPTIONS",
    table("id INT, at TIME"): "UNSUPPORTED_TYPE",
    table("id INT, rows ARRAY<INTERVAL DAY>"): "UNSUPPORTED_TYPE",
    table("id INT, at STRING METADATA") + SHOWN + "INSERT INTO shown SELECT id, at FROM t;": (
        "UNKNOWN_METADATA"
    ),
    PLAIN + table("id INT, n BIGINT") + "INSERT INTO t SELECT id, COUNT(*) FROM orders "
    "GROUP BY id;": "SINK_CANNOT_UPDATE",
    PLAIN + SHOWN + table("id INT, name STRING", ", 'mode' = 'streaming'") + "INSERT INTO shown "
    "SELECT o.id, t.name FROM orders o JOIN t FOR SYSTEM_TIME AS OF o.at ON o.id = t.id;": (
        "INVALID_QUERY"
    ),
}


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused(text: str) -> None:
    with pytest.raises(PenstockError) as refused:
        planned(text)
    assert refused.value.code == REFUSED[text]


LOOKUP = (
    "INSERT INTO shown SELECT o.id, d.name FROM orders o "
    "JOIN dim FOR SYSTEM_TIME AS OF o.at AS d ON o.id = d.id;"
)
DIMENSION = table("id INT, name STRING", name="dim")


def test_explain_shows_the_lookup() -> None:
    text = explain(planned(PLAIN + SHOWN + DIMENSION + LOOKUP))
    assert "Inner lookup join [append] on o.id = d.id" in text
    assert "right side: as it is in each micro-batch" in text
    assert "Scan dim [append] ← Delta table /lake/t\n" in text


@pytest.mark.parametrize(
    "script",
    [
        UPSERTS + UPSERTED + DIMENSION + LOOKUP,
        PLAIN + SHOWN + DIMENSION + LOOKUP.replace(" FOR SYSTEM_TIME AS OF o.at", ""),
    ],
    ids=["rows that change", "a plain join"],
)
def test_what_is_looked_up_as_it_first_was(script: str) -> None:
    assert "right side: as it was when the query began" in explain(planned(script))


def test_counts_of_what_is_looked_up_are_not_written_exactly_once() -> None:
    """A batch that is run again could find the table changed."""
    counts = """CREATE TABLE counts (name STRING, n BIGINT, PRIMARY KEY (name) NOT ENFORCED) WITH (
      'connector' = 'upsert-kafka', 'topic' = 'c', 'properties.bootstrap.servers' = 'x:1',
      'key.format' = 'json', 'value.format' = 'json'{more});"""
    exactly = ", 'sink.delivery-guarantee' = 'exactly-once', 'sink.transactional-id-prefix' = 'p'"
    query = LOOKUP.replace("shown SELECT o.id, d.name", "counts SELECT d.name, COUNT(*)")
    query = query.replace(";", " GROUP BY d.name;")
    require_runnable(planned(PLAIN + counts.format(more="") + DIMENSION + query).queries)
    plain = query.replace(" FOR SYSTEM_TIME AS OF o.at", "")
    require_runnable(planned(PLAIN + counts.format(more=exactly) + DIMENSION + plain).queries)
    with pytest.raises(PenstockError) as refused:
        require_runnable(planned(PLAIN + counts.format(more=exactly) + DIMENSION + query).queries)
    assert refused.value.code == "UNSUPPORTED_QUERY"


def test_a_folder_of_a_delta_table_is_bound(tmp_path: Path) -> None:
    (tmp_path / "_delta_log").mkdir()
    bound = SHOWN + "CREATE TABLE dim (id INT, name STRING METADATA FROM 'x') WITH ("
    text = bound + "'connector' = 'jdbc'); INSERT INTO shown SELECT id, name FROM dim;"
    assert f"Scan dim ← Delta table {tmp_path}\n" in explain(planned(text, dim=str(tmp_path)))


def test_it_is_not_bound_to_a_table_of_clickhouse(tmp_path: Path) -> None:
    (tmp_path / "_delta_log").mkdir()
    with pytest.raises(PenstockError) as refused:
        planned(
            "CREATE TABLE t (id Int32) ENGINE = Kafka('x:1', 't', 'g', 'JSONEachRow');"
            "SELECT id FROM t;",
            t=str(tmp_path),
        )
    assert refused.value.code == "INVALID_ARGUMENT"


def test_only_commits_say_where_a_log_begins(tmp_path: Path) -> None:
    log = tmp_path / "_delta_log"
    log.mkdir()
    for name in ("3.checkpoint.0a-1b", "3.4.compacted", "5", "6"):
        first, point, kind = name.partition(".")
        (log / f"{first.zfill(20)}{point}{kind}.json").write_text("")
    assert first_commit(str(tmp_path)) == 5
