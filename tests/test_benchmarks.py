"""The benchmarks do not rot: their modules load, their scripts are understood, a small one runs."""

from __future__ import annotations

import importlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchmarks import (
    changing,
    flink,
    growing,
    ingest,
    latency,
    report,
    run,
    served,
    startup,
    throughput,
    topics,
)
from benchmarks.peers import PEERS, SQL, Job, Side
from benchmarks.report import AT_LEAST, AT_MOST, Bar, Comparison
from penstock.jars.artifacts import read_artifacts
from penstock.plan.script import plan_script
from penstock.plan.walk import runs_once
from penstock.sql.parse import fill_variables, parse

if TYPE_CHECKING:
    from penstock.kafka.broker import BrokerStatus

FOLDER = Path(__file__).parents[1] / "benchmarks"
ALL_CASES = {
    **(throughput.CASES | changing.CASES | ingest.CASES | served.CASES),
    **(latency.CASES | startup.CASES),
}
ALL_SIDES = [side for sides in ALL_CASES.values() for side in sides]
_SMOKE_ROWS = 2_000


@pytest.mark.parametrize("module", sorted(path.stem for path in FOLDER.glob("*.py")))
def test_modules_load_and_stay_small(module: str) -> None:
    assert importlib.import_module(f"benchmarks.{module}").__doc__ or module == "__init__"
    assert len((FOLDER / f"{module}.py").read_text(encoding="utf-8").splitlines()) <= 300


@pytest.mark.parametrize("side", ALL_SIDES, ids=lambda side: f"{side.script}-{side.peer}")
def test_every_script_is_understood_and_runs_as_a_stream(side: Side, tmp_path: Path) -> None:
    assert side.peer in PEERS
    job = Job(side, "localhost:9092", "in", "out", tmp_path, ends=True)
    text = fill_variables((SQL / f"{side.script}.sql").read_text(encoding="utf-8"), job.variables)
    settings = (("penstock.latency", side.latency),)
    (query,) = plan_script(parse(text), name=side.script, settings=settings).queries
    assert (runs_once(query)) == (side.peer == "flink")


def test_no_script_is_left_over() -> None:
    assert {path.stem for path in SQL.glob("*.sql")} == {side.script for side in ALL_SIDES}


def test_the_connector_is_made_for_the_flink_that_is_installed() -> None:
    (connector,) = read_artifacts(FOLDER / "ivy.xml", "flink")
    made_for = connector.revision.rpartition("-")[2]
    assert flink.VERSION.startswith(f"{made_for}.")


@pytest.mark.parametrize(
    ("ours", "bar", "met"),
    [
        ([95.0, 96.0, 10.0], Bar(AT_LEAST, 0.95), True),
        ([94.0], Bar(AT_LEAST, 0.95), False),
        ([200.0], Bar(AT_MOST, 2.0), True),
        ([201.0], Bar(AT_MOST, 2.0), False),
        ([8.0], Bar(AT_MOST, 8.0, absolute=True), True),
        ([8.1], Bar(AT_MOST, 8.0, absolute=True), False),
    ],
)
def test_a_bar_is_met_or_missed(ours: list[float], bar: Bar, met: bool) -> None:
    assert Comparison("case", "figure", ours, "other", [100.0], bar).is_met is met


def test_results_are_put_between_the_marks_of_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Title\n\n<!-- measured -->\nold\n<!-- /measured -->\n\nMore.\n")
    table = report.table([Comparison("pass_through", "rows/s", [10.0], "Flink SQL", [20.0])])
    report.write(page, table)
    assert page.read_text() == (
        f"# Title\n\n<!-- measured -->\n{table}\n<!-- /measured -->\n\nMore.\n"
    )
    row = "| pass-through | rows/s | 10.0 (10.0–10.0) | Flink SQL | 20.0 (20.0–20.0) | 0.50 |"
    assert row in " ".join(table.split())


def test_a_page_without_marks_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Title\n")
    with pytest.raises(SystemExit, match="measured"):
        report.write(page, "text")


def test_the_last_part_is_timed_from_the_batch_before_it(tmp_path: Path) -> None:
    checkpoint = tmp_path / "job" / "checkpoint"
    for number, (at, ends) in enumerate([(10, (40, 40)), (12, (80, 80)), (13, (80, 80))]):
        for kind in ("commits", "offsets"):
            (checkpoint / kind).mkdir(parents=True, exist_ok=True)
        offsets = {"t": {"0": ends[0], "1": ends[1]}, "#ids": ["t/x"]}
        (checkpoint / "offsets" / str(number)).write_text(f"v1\n{{}}\n{json.dumps(offsets)}")
        (checkpoint / "commits" / str(number)).touch()
        os.utime(checkpoint / "commits" / str(number), (at, at))
    found = growing.batches(tmp_path)
    assert found == [(10, 80), (12, 160), (13, 160)]
    # The batch without rows at the end is not the rows'.
    assert growing.last_part_us(found, rows=80) == 25_000


def test_the_last_rows_bring_as_much_new_on_top_of_many_as_of_few() -> None:
    parts = []
    for rows in (5_000, 2_000):
        pairs = [
            (e["category"], int(str(e["item_id"])) % 50_000)
            for e in topics.events(rows, last=1_000)
        ]
        assert not set(pairs[:-1_000]) & set(pairs[-1_000:])
        parts.append(pairs[-1_000:])
    assert parts[0] == parts[1]
    # The items of the other topics are of all numbers.
    assert {int(str(event["item_id"])) % 2 for event in topics.events(100)} == {0, 1}


@pytest.mark.kafka
@pytest.mark.slow
def test_a_small_comparison_runs(
    broker: BrokerStatus, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(topics, "ROWS", _SMOKE_ROWS)
    monkeypatch.setattr(topics, "start_broker", lambda folder: broker.address)
    cases = ["filter", "dead_letters", "retractions", "count_distinct"]
    code = run.main(["--cases", *cases, "--peers", "penstock", "by_hand", "--rounds", "1"])
    shown = capsys.readouterr().out
    assert code == 0
    for case in ("filter", "dead-letters", "retractions"):
        assert f"| {case} | rows/s" in " ".join(shown.split())
    assert "| count-distinct | µs per row" in " ".join(shown.split())
    assert f"Rows: {_SMOKE_ROWS:,}" in shown
