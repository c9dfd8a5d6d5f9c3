"""The secured tables of Flink's page, with names, passwords and places of this run in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock import Session
from tests.case_files import EXAMPLES
from tests.security.certificates import PASSWORD
from tests.security.cluster import _QUOTED, USER

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from tests.security.cluster import Cluster

pytestmark = [pytest.mark.kafka, pytest.mark.spark]


@pytest.mark.parametrize(
    ("example", "listener"), [("sasl_plaintext", "LOGIN"), ("sasl_ssl", "SECURE")]
)
def test_rows_pass(
    example: str, listener: str, cluster: Cluster, spark: SparkSession, tmp_path: Path
) -> None:
    source = cluster.topic("user_behavior", [b"543462,1715,pv", b"662867,2244074,buy"])
    sink = cluster.topic("purchases")
    script = (EXAMPLES / "flink" / f"{example}.sql").read_text(encoding="utf-8")
    for written, here in (
        ("localhost:9092", cluster.listeners[listener]),
        ('\\"username\\"', f'\\"{USER}\\"'),
        ('\\"password\\"', f'\\"{_QUOTED}\\"'),
        ("/path/to/kafka.client.truststore.jks", str(cluster.certificates.trust())),
        ("/path/to/kafka.client.keystore.jks", str(cluster.certificates.store("client", "jks"))),
        ("test1234", PASSWORD),
        ("'user_behavior'", f"'{source}'"),
        ("'purchases'", f"'{sink}'"),
    ):
        script = script.replace(written, here)
    job = Session(spark, state_dir=tmp_path).execute(script, name=example, drain=True)
    assert job.wait(60)
    assert cluster.read(sink) == [b"662867,2244074,buy"]
