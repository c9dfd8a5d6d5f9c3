"""Statements that read and insert while others change what they are about."""

from __future__ import annotations

import shutil
import threading
from typing import TYPE_CHECKING

import pytest

from penstock.errors import PenstockError
from penstock.plan.script import plan_script
from penstock.runtime import signals
from penstock.runtime.job import Job
from penstock.runtime.signals import Signals
from penstock.runtime.steps import How
from penstock.spark.delta import StoredTable, require_delta
from penstock.spark.merge import merged
from penstock.spark.session import active
from penstock.sql.parse import parse
from tests.clickhouse.server import WAIT_S, Server
from tests.helpers import wait_until

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from penstock.connectors.merge_rules import Merge
    from penstock.plan.query import ScriptPlan

pytestmark = pytest.mark.spark

TABLE = "CREATE TABLE t (n Int64) ENGINE = MergeTree ORDER BY n;"
ANOTHER = "DROP TABLE t; CREATE TABLE t (m Int8 DEFAULT 7, n Int64) ENGINE = MergeTree ORDER BY n;"
COUNTED = "SELECT count() FROM t FORMAT JSONCompactEachRow"
SHOWN = "SELECT m, n FROM t ORDER BY n FORMAT JSONCompactEachRow"


@pytest.fixture
def server(server_at_rest: Server) -> Server:
    return server_at_rest


def _run(server: Server, text: str, other: str, *, at_answer: bool) -> None:
    """Run statements; others come when these are planned, or when they have given an answer."""
    planned = []

    def plan() -> ScriptPlan:
        planned.append(
            plan_script(
                parse(text, "clickhouse"), name="sql", overrides=server.overrides, keeps=True
            )
        )
        if len(planned) == 1 and not at_answer:
            server.sql(other)
        return planned[-1]

    def tell(result: object) -> None:
        if at_answer:
            server.sql(other)

    assert server._start(plan, How(False, Job.wait, tell, "none")).wait(WAIT_S)


def test_an_insert_goes_into_the_table_that_is_there(server: Server) -> None:
    server.sql(TABLE)
    _run(server, "INSERT INTO t (n) VALUES (1);", ANOTHER, at_answer=False)
    assert server.sql(SHOWN) == [[7, 1]]
    _run(server, "SHOW TABLES; INSERT INTO t (n) VALUES (2);", ANOTHER, at_answer=True)
    assert server.sql(SHOWN) == [[7, 2]]
    (folder,) = (server.warehouse.path / "tables").iterdir()
    shutil.rmtree(folder)
    with pytest.raises(PenstockError) as caught:
        server.sql("INSERT INTO t (n) VALUES (3);")
    assert (caught.value.code, folder.exists()) == ("TABLE_GONE", False)


def test_a_newer_row_stays_the_newer_one_beside_optimize(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    served, waits = [], []
    other = threading.Thread(target=lambda: server.sql("INSERT INTO t VALUES (2, 'new')"))

    def meanwhile(rows: DataFrame, rule: Merge) -> DataFrame:
        """What is merged is read by now, and is written anew when this returns."""
        now = Signals(server.warehouse.path).served()
        served.extend(now.views if now else ["nobody serves"])
        # Its view stands still, and is not waited for.
        with monkeypatch.context() as hurried:
            hurried.setattr(signals, "STOPPED_WITHIN_S", 0.5)
            server.sql("INSERT INTO a VALUES (1, 'new')")
        other.start()
        other.join(2)
        waits.append(other.is_alive())
        return merged(rows, rule)

    server.sql(
        "CREATE TABLE a (k Int64, s String) ENGINE = MergeTree ORDER BY k;"
        "CREATE TABLE t (k Int64, s String) ENGINE = ReplacingMergeTree ORDER BY k;"
        "CREATE MATERIALIZED VIEW v TO t AS SELECT k, s FROM a;"
        "INSERT INTO t VALUES (1, 'old'), (2, 'old');"
    )
    server.serve()
    server.await_state("v", "running")
    with monkeypatch.context() as patched:
        patched.setattr("penstock.spark.delta.merged", meanwhile)
        server.sql("OPTIMIZE TABLE t FINAL;")
    other.join(WAIT_S)
    assert (served, waits) == ([], [True])
    wait_until(lambda: server.sql(COUNTED) == [[4]], timeout_s=WAIT_S)
    asked = "SELECT k, s FROM t FINAL ORDER BY k FORMAT JSONCompactEachRow"
    assert server.sql(asked) == [[1, "new"], [2, "new"]]


def test_a_new_view_does_not_disturb_who_writes_its_table(
    server: Server, spark: SparkSession
) -> None:
    server.sql(TABLE)
    (folder,) = (server.warehouse.path / "tables").iterdir()
    table = StoredTable(spark, str(folder))
    begun = table._log().startTransaction()
    server.sql(
        "CREATE TABLE u (n Int64) ENGINE = MergeTree ORDER BY n;"
        "CREATE MATERIALIZED VIEW v TO u AS SELECT n FROM t;"
    )
    none, kind = "scala.collection.immutable.Nil", "org.apache.spark.sql.delta.DeltaOperations"
    assert begun.commit(table._module(none), table._module(f"{kind}$ManualUpdate")) == 2


def test_the_log_of_a_table_is_read_by_few_tasks(server: Server, spark: SparkSession) -> None:
    """Whatever session is the thread's: Delta would take fifty, some seconds on a busy machine."""
    server.sql(TABLE + "INSERT INTO t (n) VALUES (1);")
    (folder,) = (server.warehouse.path / "tables").iterdir()
    other, own = spark.newSession(), spark.newSession()
    other.conf.set("spark.databricks.delta.snapshotPartitions", "50")
    require_delta(own)
    context = spark.sparkContext
    context._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
    context.setJobGroup("read-the-log", "")
    try:
        with active(other):
            assert StoredTable(own, str(folder)).last_batch("nobody") == -1
    finally:
        context.setLocalProperty("spark.jobGroup.id", None)
    jobs = context.statusTracker().getJobIdsForGroup("read-the-log")
    stages = [one for job in jobs for one in context.statusTracker().getJobInfo(job).stageIds]
    assert stages
    assert max(context.statusTracker().getStageInfo(one).numTasks for one in stages) < 50


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("SHOW TABLES; INSERT INTO t (n) VALUES (1);", "UNKNOWN_TABLE"),
        ("SHOW TABLES; CREATE TABLE IF NOT EXISTS t (n Int64) ENGINE = Log;", "WAREHOUSE_CHANGED"),
    ],
)
def test_what_means_nothing_any_more_is_not_run(script: str, code: str, server: Server) -> None:
    server.sql(TABLE)
    with pytest.raises(PenstockError) as caught:
        _run(server, script + "SHOW TABLES;", "DROP TABLE t;", at_answer=True)
    assert caught.value.code == code
    assert list((server.warehouse.path / "tables").iterdir()) == []
