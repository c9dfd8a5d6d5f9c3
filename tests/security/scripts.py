"""The script that security tests run, and where its secrets must not be found afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.security.ways import options_of

if TYPE_CHECKING:
    import pytest
    from pyspark.sql import SparkSession

    from tests.security.cluster import Cluster
    from tests.security.ways import Way

# Part of every password of these tests, whatever is around it.
_SECRET = b"hunter2"


def script_of(cluster: Cluster, way: Way, *, source: str, sink: str, extra: str = "") -> str:
    """Copy a topic; both tables are secured in the same way. `extra` options are the source's."""
    options = "".join(f",\n  '{k}' = '{v}'" for k, v in options_of(cluster, way).items())
    return f"""
CREATE TABLE source (n INT) WITH (
  'connector' = 'kafka', 'topic' = '{source}', 'format' = 'json'{options},
  {extra or "'scan.startup.mode' = 'earliest-offset'"}
);
CREATE TABLE sink (n INT) WITH (
  'connector' = 'kafka', 'topic' = '{sink}', 'format' = 'json'{options}
);
INSERT INTO sink SELECT n FROM source;
"""


def with_letters(topic: str) -> str:
    """Options of a source from its beginning that keeps bad messages in a topic."""
    return (
        "'scan.startup.mode' = 'earliest-offset', 'scan.deser.failure-handler' = 'kafka', "
        f"'scan.deser.failure-topic' = '{topic}'"
    )


def left_behind(folder: Path, spark: SparkSession, capfd: pytest.CaptureFixture[str]) -> list[str]:
    """Where a password is: files of the job, Spark's log, what was printed."""
    log = Path(spark.sparkContext._jvm.System.getProperty("penstock.log"))
    files = [path for path in (*folder.rglob("*"), *log.parent.glob("*.log*")) if path.is_file()]
    assert log in files
    found = [str(path) for path in files if _SECRET in path.read_bytes()]
    printed = capfd.readouterr()
    return found + ["the terminal"] * (_SECRET.decode() in printed.out + printed.err)
