"""What the tests of this folder expect of queries and engines, asked of ClickHouse itself.

`make test-slow` installs ClickHouse as a library, apart from the virtualenv.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.clickhouse import (
    named_rows,
    test_added_columns,
    test_engines,
    test_partitions,
    test_queries_at_rest,
)
from tests.formats import test_clickhouse_broken_rows as broken_rows

_CLICKHOUSE = Path(__file__).parents[2] / ".venv/clickhouse"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not _CLICKHOUSE.exists(), reason="`make test-slow` installs ClickHouse"),
]
_RUN = """
import json, sys
from chdb import session

server = session.Session()
found = []
for statement in json.load(sys.stdin):
    answer = server.query(statement, "JSONCompact").bytes() or b""
    found += [json.loads(answer)] if b'"meta"' in answer else []
print(json.dumps(found))
"""


def _answers(statements: list[str]) -> list[Any]:
    """The rows of every SELECT."""
    return [rows for _, rows in _named_answers(statements)]


def _named_answers(statements: list[str]) -> list[tuple[list[str], list[Any]]]:
    """The names of the columns and the rows of every SELECT."""
    path = {**os.environ, "PYTHONPATH": str(_CLICKHOUSE), "TZ": "UTC"}
    done = subprocess.run(
        [sys.executable, "-c", _RUN],
        input=json.dumps(statements),
        check=True,
        env=path,
        timeout=300,
        capture_output=True,
        text=True,
    )
    found = json.loads(done.stdout.splitlines()[-1])
    return [([column["name"] for column in one["meta"]], one["data"]) for one in found]


def _statements(script: str) -> list[str]:
    parts = [one.strip() for one in script.replace(";\n", ";;").split(";;")]
    return [one.rstrip(";").removesuffix("FORMAT JSONCompactEachRow") for one in parts if one]


def test_queries() -> None:
    asked = test_queries_at_rest.ASKED
    found = _answers([*_statements(test_queries_at_rest.TABLES), *asked])
    assert dict(zip(asked, found, strict=True)) == asked


def test_names_of_columns() -> None:
    names, tables = test_queries_at_rest.NAMES, _statements(test_queries_at_rest.TABLES)
    found = [columns for columns, _ in _named_answers([*tables, *names])]
    assert dict(zip(names, found, strict=True)) == names
    answers = _named_answers([*_statements(named_rows.TABLE), *named_rows.NAMED])
    assert dict(zip(named_rows.NAMED, answers, strict=True)) == named_rows.NAMED


def test_partitions_and_versions() -> None:
    scripts = (test_partitions.TABLE, test_partitions.DROPPED, test_partitions.MERGED)
    # ClickHouse would merge rows of one INSERT at once.
    apart = "SET optimize_on_insert = 0"
    found = _answers([apart, *(part for one in scripts for part in _statements(one))])
    rows = [*test_partitions.FIRST, *test_partitions.LEFT, *test_partitions.OPTIMIZED]
    assert [row for answer in found for row in answer] == rows
    versioned = _statements(";\n".join(test_engines.VERSIONED))
    assert [
        row for answer in _answers([apart, *versioned]) for row in answer
    ] == test_engines.LEFT * 2


def test_sums() -> None:
    found = _answers(["SET optimize_on_insert = 0", *_statements(test_engines.summed())])
    assert [row for answer in found for row in answer] == test_engines.SUMS * 2


def test_columns_added_later() -> None:
    script = test_added_columns.ADDED + test_added_columns.asked()
    found = _answers(["SET output_format_json_quote_64bit_integers = 0", *_statements(script)])
    assert [row for answer in found for row in answer] == test_added_columns.ROWS * 2


def test_rows_beside_broken_ones() -> None:
    columns = ", ".join(" ".join(column) for column in broken_rows.COLUMNS)
    asked = []
    for format_name, message in broken_rows.CASES:
        text = message.replace("\\", "\\\\").replace("'", "\\'")
        read = f"SELECT * FROM format({format_name}, '{columns}', '{text}')"
        asked.append(f"{read} SETTINGS input_format_allow_errors_num = 9")
    found = dict(zip(broken_rows.CASES, _answers(asked), strict=True))
    assert found == broken_rows.CASES
