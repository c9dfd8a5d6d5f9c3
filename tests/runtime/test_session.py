"""`penstock.Session`: settings, what it leaves alone, what it refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock import DataError, OptionError, PlanError, RunError, Session

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus

SCRIPT = """
CREATE TABLE source (n INT, at TIMESTAMP_LTZ(3)) WITH (
  'connector' = 'kafka', 'topic' = '${source}', 'properties.bootstrap.servers' = 'x:1',
  ${start}
  'format' = 'json'
);
CREATE TABLE sink (n INT, at STRING) WITH (
  'connector' = 'kafka', 'topic' = '${sink}', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'json'
);
INSERT INTO sink SELECT n, CAST(at AS STRING) FROM source;
"""
EARLIEST = "'scan.startup.mode' = 'earliest-offset',"


@pytest.fixture
def variables(topic: Callable[..., str]) -> dict[str, str]:
    return {"source": topic("source"), "sink": topic("sink"), "start": EARLIEST}


@pytest.mark.spark
def test_files_zone_and_the_users_session_stays_as_it_was(
    spark: SparkSession, tmp_path: Path
) -> None:
    lines, results = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines.write_text('{"n": 1, "at": "2024-01-01 00:00:00Z"}\n')
    bound = {"source": str(lines), "sink": str(results)}
    session = Session(spark, bindings=bound, state_dir=tmp_path / "state")
    before = spark.conf.get("spark.sql.session.timeZone")
    names = {"source": "a", "sink": "b", "start": ""}
    settings = {"table.local-time-zone": "Asia/Shanghai", "spark.sql.shuffle.partitions": "3"}
    job = session.execute(SCRIPT, variables=names, settings=settings, drain=True)
    assert job.wait(60)
    assert results.read_text() == '{"n":1,"at":"2024-01-01 08:00:00.000"}\n'
    assert spark.conf.get("spark.sql.session.timeZone") == before
    assert job.progress()[0].rows_in == 1


@pytest.mark.spark
def test_what_has_ended_is_told_as_finished(spark: SparkSession, tmp_path: Path) -> None:
    """Also where the queries end just when the time to wait is over."""
    (tmp_path / "in.jsonl").write_text('{"n": 1}\n')
    bound = {"source": str(tmp_path / "in.jsonl"), "sink": str(tmp_path / "out.jsonl")}
    session = Session(spark, bindings=bound, state_dir=tmp_path / "state")
    job = session.execute(SCRIPT, variables={"source": "a", "sink": "b", "start": ""}, drain=True)
    while not job.wait(0):
        pass
    assert job.status().state == "finished"


WINDOWED = """
CREATE TABLE source (n INT, at TIMESTAMP(3), WATERMARK FOR at AS at) WITH ('connector' = 'x');
CREATE TABLE sink (n BIGINT) WITH ('connector' = 'x');
INSERT INTO sink SELECT COUNT(*)
FROM TABLE(TUMBLE(TABLE source, DESCRIPTOR(at), INTERVAL '1' MINUTE))
GROUP BY window_start, window_end;
"""
STRICT = """
CREATE TABLE source (n INT NOT NULL) WITH ('connector' = 'x');
CREATE TABLE sink (n INT NOT NULL) WITH ('connector' = 'x');
INSERT INTO sink SELECT n FROM source;
"""


@pytest.mark.spark
@pytest.mark.parametrize(
    ("script", "line", "code", "said"),
    [
        (WINDOWED, '{"n":1,"at":null}', "BAD_VALUE", "RowTime field should not be null"),
        (STRICT, "{}", "NULL_IN_NOT_NULL", "Column 'n' is NOT NULL"),
        (SCRIPT, '{"n":"x"}', "BAD_LINE", "A line of the file"),
    ],
)
def test_rows_that_cannot_be_stop_the_job(
    spark: SparkSession, tmp_path: Path, script: str, line: str, code: str, said: str
) -> None:
    (tmp_path / "in.jsonl").write_text(line + "\n")
    bound = {"source": str(tmp_path / "in.jsonl"), "sink": str(tmp_path / "out.jsonl")}
    session = Session(spark, bindings=bound, state_dir=tmp_path / "state")
    names = {"source": "a", "sink": "b", "start": ""}
    job = session.execute(script, variables=names, drain=True)
    with pytest.raises(DataError, match=said) as caught:
        job.wait(60)
    assert caught.value.code == code


@pytest.mark.spark
def test_what_spark_fixes_at_its_start_cannot_be_set_later(
    spark: SparkSession, tmp_path: Path
) -> None:
    (tmp_path / "in").write_text("")
    bound = {"source": str(tmp_path / "in"), "sink": str(tmp_path / "out")}
    session = Session(spark, bindings=bound, state_dir=tmp_path)
    with pytest.raises(OptionError, match=r"spark\.executor\.memory"):
        session.execute(
            SCRIPT,
            variables={"source": "a", "sink": "b", "start": ""},
            settings={"spark.executor.memory": "3g"},
        )


def test_a_script_without_insert_is_refused(tmp_path: Path) -> None:
    session = Session(None, state_dir=tmp_path)  # type: ignore[arg-type]
    with pytest.raises(PlanError, match="no INSERT INTO"):
        session.execute("SET 'pipeline.name' = 'x'")


@pytest.mark.kafka
def test_group_offsets_without_any_name_the_option_to_set(
    spark: SparkSession, broker: BrokerStatus, variables: dict[str, str], tmp_path: Path
) -> None:
    session = Session(spark, bootstrap=broker.address, state_dir=tmp_path)
    group = "'properties.group.id' = 'nobody',"
    with pytest.raises(RunError, match=r"properties\.auto\.offset\.reset") as caught:
        session.execute(SCRIPT, variables={**variables, "start": group})
    assert caught.value.code == "NO_COMMITTED_OFFSET"


@pytest.mark.kafka
def test_one_job_runs_once(
    spark: SparkSession, broker: BrokerStatus, variables: dict[str, str], tmp_path: Path
) -> None:
    session = Session(spark, bootstrap=broker.address, state_dir=tmp_path)
    job = session.execute(SCRIPT, variables=variables)
    with pytest.raises(RunError) as caught:
        session.execute(SCRIPT, variables=variables)
    assert caught.value.code == "JOB_ALREADY_RUNNING"
    job.stop()
    again = session.execute(SCRIPT, variables=variables, drain=True)
    assert again.wait(60)
