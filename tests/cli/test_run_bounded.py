"""`penstock run` of scripts without a broker: datagen to print, to files; rows on stdout only."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.spark

_LIMIT_S = 180
SCRIPT = """
CREATE TABLE orders (id INT, buyer STRING, price DECIMAL(5, 2)) WITH (
  'connector' = 'datagen'{bounds},
  'fields.id.kind' = 'sequence', 'fields.id.start' = '1', 'fields.id.end' = '1000000',
  'fields.buyer.length' = '4', 'fields.price.min' = '1', 'fields.price.max' = '2'
);
CREATE TABLE shown (id INT, buyer STRING, cheap BOOLEAN) WITH ({sink});
INSERT INTO shown SELECT id, buyer, price < 3 FROM orders;
"""
PRINT = "'connector' = 'print', 'print-identifier' = 'order'"


def start(folder: Path, text: str) -> subprocess.Popen[str]:
    (folder / "orders.sql").write_text(text)
    return subprocess.Popen(
        [sys.executable, "-m", "penstock", "run", "orders.sql"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_datagen_to_print_ends_with_its_rows(tmp_path: Path) -> None:
    process = start(tmp_path, SCRIPT.format(bounds=", 'number-of-rows' = '5'", sink=PRINT))
    shown, said = process.communicate(timeout=_LIMIT_S)
    assert process.returncode == 0, said
    lines = shown.splitlines()
    assert [line[: line.index(",")] for line in lines] == [f"order> +I[{n}" for n in range(1, 6)]
    assert all(line.endswith(", true]") for line in lines)
    assert "orders: running until everything is read" in said
    assert "shown: 5 rows in, 5 rows out" in said
    assert "orders: finished after" in said


def test_datagen_to_csv_files_adds_with_every_run(tmp_path: Path) -> None:
    sink = "'connector' = 'filesystem', 'path' = 'out', 'format' = 'csv'"
    text = SCRIPT.format(bounds=", 'number-of-rows' = '100'", sink=sink)
    for run in (1, 2):
        process = start(tmp_path, text)
        _, said = process.communicate(timeout=_LIMIT_S)
        assert process.returncode == 0, said
        files = sorted((tmp_path / "out").glob("part-*.csv"))
        lines = [line for file in files for line in file.read_text().splitlines()]
        assert sorted(int(line.partition(",")[0]) for line in lines) == sorted(
            [*range(1, 101)] * run
        )
        assert "shown: 100 rows in, 100 rows out" in said


def test_an_endless_one_prints_until_it_is_stopped(tmp_path: Path) -> None:
    endless = SCRIPT.replace("'fields.id.kind' = 'sequence', ", "").replace(
        "'fields.id.start' = '1', 'fields.id.end' = '1000000'", "'rows-per-second' = '5'"
    )
    process = start(tmp_path, endless.format(bounds="", sink=PRINT))
    assert process.stdout
    first = [process.stdout.readline() for _ in range(8)]
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=_LIMIT_S)
    assert process.returncode == 0, said
    assert all(line.startswith("order> +I[") for line in first)
    assert "orders: stopped after" in said
