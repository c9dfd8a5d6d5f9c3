"""Before anything starts: are the brokers there, and the topics the script reads?"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple, NoReturn

from penstock.connectors.base import KafkaSource, KafkaTarget
from penstock.errors import OptionError
from penstock.kafka import admin
from penstock.plan.nodes import Query, scans

_MAX_CONNECTIONS = 8


class _Need(NamedTuple):
    """What a table needs from a cluster; a sink names no topic: its producer may create it."""

    properties: tuple[tuple[str, str], ...]
    table: str
    topics: tuple[str, ...]


def preflight(queries: tuple[Query, ...]) -> None:
    """Raise for the first broker that does not answer or source topic that does not exist."""
    needs: dict[_Need, None] = {}
    outputs: set[Path] = set()
    for query in queries:
        for scan in scans(query.input):
            source = scan.spec.source
            if isinstance(source, KafkaSource):
                needs[_Need(source.properties, scan.table, source.topics)] = None
            else:
                _check_input(scan.table, Path(source.path))
        if isinstance(query.spec.target, KafkaTarget):
            needs[_Need(query.spec.target.properties, query.sink_table, ())] = None
        else:
            _check_output(query.sink_table, Path(query.spec.target.path), outputs)
    with ThreadPoolExecutor(max_workers=_MAX_CONNECTIONS) as pool:
        list(pool.map(_check, needs))


def _check(need: _Need) -> None:
    properties, note = dict(need.properties), f" of table `{need.table}`"
    if need.topics:
        admin.describe(properties, need.topics, table_note=note)
    else:
        admin.check_reachable(properties, table_note=f" for table `{need.table}`")


def _check_input(table: str, path: Path) -> None:
    if not path.is_file():
        _refuse_file(table, path, "There is no such file.")
    if path.name.startswith(("_", ".")) or set("*?[]{}") & set(str(path.parent)):
        # Spark takes such names for hidden files and patterns, and would read nothing.
        _refuse_file(
            table, path, "Its name begins with _ or ., or its folder has one of * ? [ ] {}."
        )


def _check_output(table: str, path: Path, outputs: set[Path]) -> None:
    if path in outputs:
        _refuse_file(table, path, "One query only can write a file.")
    if not path.parent.is_dir():
        _refuse_file(table, path, "There is no such folder.")
    outputs.add(path)


def _refuse_file(table: str, path: Path, problem: str) -> NoReturn:
    raise OptionError("INVALID_ARGUMENT", argument=f"--bind {table}={path}", expected=problem)
