"""Before anything starts: are the brokers there, and the topics the script reads?"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

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
    for query in queries:
        for scan in scans(query.input):
            source = scan.spec.source
            if isinstance(source, KafkaSource):
                needs[_Need(source.properties, scan.table, source.topics)] = None
            elif not Path(source.path).is_file():
                argument = f"--bind {scan.table}={source.path}"
                raise OptionError(
                    "INVALID_ARGUMENT", argument=argument, expected="There is no such file."
                )
        if isinstance(query.spec.target, KafkaTarget):
            needs[_Need(query.spec.target.properties, query.sink_table, ())] = None
    with ThreadPoolExecutor(max_workers=_MAX_CONNECTIONS) as pool:
        list(pool.map(_check, needs))


def _check(need: _Need) -> None:
    properties, note = dict(need.properties), f" of table `{need.table}`"
    if need.topics:
        admin.describe(properties, need.topics, table_note=note)
    else:
        admin.check_reachable(properties, table_note=note)
