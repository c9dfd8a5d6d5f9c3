"""The example of Blink's Kafka page, unchanged, from a file into a topic."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from penstock.errors import PenstockError
from penstock.kafka.records import consume
from penstock.plan.script import plan_script
from penstock.sql.parse import parse
from tests.case_files import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from penstock.kafka.broker import BrokerStatus

_BLINK = EXAMPLES / "blink"
_SCRIPT = (_BLINK / "datahub_to_kafka.sql").read_text(encoding="utf-8")


def test_without_its_rows_it_is_told_how_to_give_them() -> None:
    with pytest.raises(PenstockError) as caught:
        plan_script(parse(_SCRIPT), name="job")
    assert (caught.value.code, str(caught.value.span)) == ("UNKNOWN_CONNECTOR", "5:3")
    assert "--bind datahub_input=FILE" in str(caught.value)


@pytest.mark.kafka
def test_the_pages_script_runs(
    broker: BrokerStatus, topic: Callable[..., str], tmp_path: Path
) -> None:
    name = topic("blink")
    (tmp_path / "job.sql").write_text(_SCRIPT.replace("<yourTopicName>", name))
    command = ["run", "job.sql", "--bind", f"datahub_input={_BLINK / 'datahub_input.jsonl'}"]
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
