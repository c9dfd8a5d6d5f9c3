"""Before anything starts: are the brokers there, and the topics the script reads?"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn
from urllib.request import url2pathname

from penstock.connectors.base import FileSource, FileTarget
from penstock.connectors.filesystem import FilesystemSource
from penstock.connectors.kafka_specs import KafkaSource, KafkaTarget
from penstock.connectors.system import SYSTEM
from penstock.errors import KafkaError, OptionError
from penstock.kafka import admin
from penstock.plan.walk import scans

if TYPE_CHECKING:
    from collections.abc import Iterable

    from penstock.plan.query import Query

_MAX_CONNECTIONS = 8
# Queries that are asked for at once: a broker may take ten seconds to say nothing.
_MAX_QUERIES = 32


class _Need(NamedTuple):
    """What a table needs from a cluster: the right to `READ` or to `WRITE` topics.

    Those it reads `exist`; others may be created when they are needed. `group` is the consumer
    group at whose offsets a source begins, if it does. `keeps_letters`: it is a topic of dead
    letters.
    """

    properties: tuple[tuple[str, str], ...]
    table: str
    topics: tuple[str, ...]
    right: str
    exist: bool = False
    group: str = ""
    keeps_letters: bool = False


def preflight(queries: tuple[Query, ...]) -> None:
    """Raise for the first broker that does not answer or source topic that does not exist."""
    needs: dict[_Need, None] = {}
    outputs: set[Path] = set()
    for query in queries:
        for scan in scans(query.input):
            source = scan.spec.source
            if isinstance(source, KafkaSource):
                needs[_reading(scan.table, source)] = None
                needs |= dict.fromkeys(_dead_letters(scan.table, source))
            elif isinstance(source, FileSource):
                _check_input(scan.table, Path(source.path))
            elif isinstance(source, FilesystemSource):
                _check_folder(scan.table, source.path)
        target = query.spec.target
        if isinstance(target, KafkaTarget):
            needs[_Need(target.properties, query.sink_table, target.topics, "WRITE")] = None
        elif isinstance(target, FileTarget):
            _check_output(query.sink_table, Path(target.path), outputs)
    with ThreadPoolExecutor(max_workers=_MAX_CONNECTIONS) as pool:
        list(pool.map(_check, needs))


def obstacles(queries: Iterable[Query]) -> dict[str, Exception]:
    """What `preflight` raises of each query by itself; silent brokers are waited for together."""

    def obstacle(query: Query) -> Exception | None:
        try:
            preflight((query,))
        except Exception as error:
            return error
        return None

    chosen = tuple(queries)
    with ThreadPoolExecutor(max_workers=_MAX_QUERIES) as pool:
        found = zip(chosen, pool.map(obstacle, chosen), strict=True)
        return {query.id: error for query, error in found if error}


def _reading(table: str, source: KafkaSource) -> _Need:
    by_group = source.startup.mode == "group-offsets"
    group = source.startup.group_id if by_group else None
    # Letters that nobody wrote yet are no mistake of who asks for them.
    exist = not table.startswith(SYSTEM)
    return _Need(source.properties, table, source.topics, "READ", exist, group or "")


def _dead_letters(table: str, source: KafkaSource) -> list[_Need]:
    """Letters are read, too: a batch that is run again looks which of its own are there."""
    topic = source.reading.failures.topic
    if not topic:
        return []
    writing = _Need(source.properties, table, (topic,), "WRITE", keeps_letters=True)
    return [writing, _Need(source.properties, table, (topic,), "READ")]


def _check(need: _Need) -> None:
    properties, note = dict(need.properties), f" of table `{need.table}`"
    if need.topics and need.exist:
        admin.describe(properties, need.topics, table_note=note)
    else:
        admin.check_reachable(properties, table_note=f" for table `{need.table}`")
    admin.check_rights(properties, need.topics, need.right, table_note=note)
    if need.group:
        admin.committed_offsets(properties, need.group, table_note=note)
    if need.keeps_letters:
        _check_letters(properties, need.topics[0], need.table)


def _check_letters(properties: dict[str, str], topic: str, table: str) -> None:
    """There is a place for the letters, and it keeps all of them."""
    if not admin.topic_exists(properties, topic):
        if admin.broker_settings(properties).get("auto.create.topics.enable") == "false":
            admin.describe(properties, [topic], table_note=f" of dead letters of table `{table}`")
        return
    policy = admin.topic_settings(properties, topic).get("cleanup.policy", "")
    if "compact" in policy:
        raise KafkaError("DEAD_LETTERS_COMPACTED", topic=topic, table=table, policy=policy)


def _check_input(table: str, path: Path) -> None:
    if not path.is_file():
        _refuse_file(table, path, "There is no such file.")
    if path.name.startswith(("_", ".")) or set("*?[]{}") & set(str(path.parent)):
        # Spark takes such names for hidden files and patterns, and would read nothing.
        _refuse_file(
            table, path, "Its name begins with _ or ., or its folder has one of * ? [ ] {}."
        )


def _check_folder(table: str, path: str) -> None:
    """Of a file system elsewhere Spark itself will say whether the folder is there."""
    local = url2pathname(path.removeprefix("file:")) if path.startswith("file:") else path
    if ":" not in local.partition("/")[0] and not Path(local).exists():
        raise OptionError(
            "INVALID_OPTION_VALUE",
            table=table,
            option="path",
            value=path,
            expected="a file or folder that is there",
        )


def _check_output(table: str, path: Path, outputs: set[Path]) -> None:
    if path in outputs:
        _refuse_file(table, path, "One query only can write a file.")
    if not path.parent.is_dir():
        _refuse_file(table, path, "There is no such folder.")
    outputs.add(path)


def _refuse_file(table: str, path: Path, problem: str) -> NoReturn:
    raise OptionError("INVALID_ARGUMENT", argument=f"--bind {table}={path}", expected=problem)
