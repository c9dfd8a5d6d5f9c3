"""The example of Blink's Kafka page, unchanged, from a file into a topic."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from penstock.kafka.records import consume
from tests.case_files import FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from penstock.kafka.broker import BrokerStatus


@pytest.mark.kafka
def test_the_pages_script_runs(
    broker: BrokerStatus, topic: Callable[..., str], tmp_path: Path
) -> None:
    name = topic("blink")
    text = (FOLDER / "documents" / "blink_datahub_to_kafka.sql").read_text(encoding="utf-8")
    (tmp_path / "job.sql").write_text(text.replace("<yourTopicName>", name))
    (tmp_path / "rows.jsonl").write_text('{"id": "1", "nm": "Ann"}\n{"id": "2", "nm": null}\n')
    command = ["run", "job.sql", "--bind", "datahub_input=rows.jsonl"]
    done = subprocess.run(
        [sys.executable, "-m", "penstock", *command, "--bootstrap", broker.address, "--drain"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    properties = {"bootstrap.servers": broker.address}
    records = list(consume(properties, name, from_beginning=True, until_end=True))
    assert {(r.key, r.value) for r in records} == {(b"1", b"Ann"), (b"2", None)}
