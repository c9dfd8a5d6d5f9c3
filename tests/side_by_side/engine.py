"""ClickHouse as a library, in a process of its own: what it makes of expressions over the table.

The answers of an expression are its type and a text for each row, as TSV writes them; None where
ClickHouse fails. Run as a program: a task in JSON from standard input, the answers to a file.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CLICKHOUSE = Path(__file__).parents[2] / ".venv/clickhouse"
_TIMEOUT_S = 900
_BATCH = 40


@dataclass(frozen=True)
class Answer:
    """What became of an expression; without a type it was refused."""

    type: str
    values: tuple[str | None, ...]
    problem: str = ""


def ask(setup: list[str], expressions: list[str], queries: list[str], folder: Path) -> Any:
    """The answers, by expression; the TSV of each query; the whole table as TSV."""
    out = folder / "answers.json"
    task = {"setup": setup, "expressions": expressions, "queries": queries, "out": str(out)}
    environment = {**os.environ, "PYTHONPATH": str(CLICKHOUSE), "TZ": "UTC"}
    subprocess.run(
        [sys.executable, __file__],
        input=json.dumps(task),
        text=True,
        check=True,
        env=environment,
        timeout=_TIMEOUT_S,
    )
    told = json.loads(out.read_text())
    told["answers"] = {
        sql: Answer(type_, tuple(values), problem)
        for sql, (type_, values, problem) in told["answers"].items()
    }
    return told


class _Server:
    """Runs inside the process that has ClickHouse."""

    def __init__(self, setup: list[str]) -> None:
        from chdb import session  # type: ignore[import-not-found]

        self.session = session.Session()
        for statement in setup:
            self.session.query(statement)
        self.rows = int(self.text("SELECT count() FROM t"))

    def text(self, query: str) -> str:
        found = self.session.query(query, "TSV")
        return bytes(found.bytes()).decode("utf-8", "backslashreplace")

    def lines(self, query: str) -> list[list[str]]:
        text = self.text(query)
        return [line.split("\t") for line in text.removesuffix("\n").split("\n")] if text else []

    def types(self, expressions: list[str]) -> list[tuple[str, str]]:
        """The type of each, or why there is none."""
        items = ", ".join(f"({sql}) AS c{i}" for i, sql in enumerate(expressions))
        try:
            found = self.lines(f"DESCRIBE (SELECT {items} FROM t)")
            return [(_type(line[1]), "") for line in found]
        except RuntimeError as error:
            if len(expressions) == 1:
                return [("", str(error).strip().split("\n")[0])]
            middle = len(expressions) // 2
            return self.types(expressions[:middle]) + self.types(expressions[middle:])

    def values(self, expressions: list[str]) -> list[list[str | None]]:
        """The texts of each expression, by row."""
        items = ", ".join(f"({sql}) AS c{i}" for i, sql in enumerate(expressions))
        try:
            lines = self.lines(f"SELECT {items} FROM t ORDER BY n")
            return [list(x) for x in zip(*lines, strict=True)]
        except RuntimeError:
            if len(expressions) == 1:
                return [self.some(expressions[0], 0, self.rows)]
            middle = len(expressions) // 2
            return self.values(expressions[:middle]) + self.values(expressions[middle:])

    def some(self, sql: str, start: int, end: int) -> list[str | None]:
        """As `values`, of some rows of one expression; None where it fails."""
        try:
            inner = f"SELECT * FROM t WHERE n >= {start} AND n < {end}"
            query = f"SELECT {sql} AS c FROM ({inner}) ORDER BY n"
            return [line[0] for line in self.lines(query)]
        except RuntimeError:
            if end - start == 1:
                return [None]
            middle = (start + end) // 2
            return self.some(sql, start, middle) + self.some(sql, middle, end)


def _type(text: str) -> str:
    """A type on one line, without LowCardinality, which leaves no trace."""
    plain = text.replace("\\'", "'").replace("\\\\", "\\")
    plain = re.sub(r"(,?)\\n\s+", lambda found: found[1] and ", ", plain)
    while "LowCardinality(" in plain:
        plain = re.sub(r"LowCardinality\(((?:[^()]|\([^()]*\))*)\)", r"\1", plain)
    return plain


def _main() -> None:
    task = json.load(sys.stdin)
    server = _Server(task["setup"])
    answers: dict[str, tuple[str, list[str | None], str]] = {}
    expressions = task["expressions"]
    for start in range(0, len(expressions), _BATCH):
        batch = expressions[start : start + _BATCH]
        typed = dict(zip(batch, server.types(batch), strict=True))
        good = [sql for sql in batch if typed[sql][0]]
        found = dict(zip(good, server.values(good), strict=True)) if good else {}
        for sql, (type_, problem) in typed.items():
            answers[sql] = (type_, found.get(sql, [None] * server.rows), problem)
    told = {"answers": answers, "queries": [], "table": server.text("SELECT * FROM t ORDER BY n")}
    for query in task["queries"]:
        try:
            told["queries"].append(server.text(query))
        except RuntimeError as error:
            told["queries"].append(f"failed: {str(error).splitlines()[0]}")
    Path(task["out"]).write_text(json.dumps(told))


if __name__ == "__main__":
    _main()
