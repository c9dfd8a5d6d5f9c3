"""Kafka to Kafka through Spark, in every way a cluster can be secured; no secret is left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock import Session
from tests.security.scripts import left_behind, script_of, with_letters
from tests.security.ways import NAMED, WAYS, Way, write_credentials

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from tests.security.cluster import Cluster

pytestmark = [pytest.mark.kafka, pytest.mark.spark]

_BAD = b'{"n":'
_ROWS = [b'{"n":1}', b'{"n":2}', b'{"n":3}']


@pytest.mark.parametrize("way", [*WAYS, *NAMED], ids=lambda way: way.name)
def test_rows_pass_and_secrets_do_not(
    cluster: Cluster,
    spark: SparkSession,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    way: Way,
) -> None:
    source, sink = cluster.topic("source", [_BAD, *_ROWS]), cluster.topic("sink")
    letters = cluster.topic("letters")
    extra = with_letters(letters)
    script = script_of(cluster, way, source=source, sink=sink, extra=extra)
    credentials = write_credentials(tmp_path / "credentials.ini", cluster)
    session = Session(spark, state_dir=tmp_path / "state", credentials=credentials)
    settings = {"penstock.credentials": way.default} if way.default else {}
    job = session.execute(script, name=way.name, settings=settings, drain=True)
    assert job.wait(60)
    assert cluster.read(sink) == _ROWS
    assert cluster.read(letters) == [_BAD]
    assert left_behind(tmp_path / "state", spark, capfd) == []
