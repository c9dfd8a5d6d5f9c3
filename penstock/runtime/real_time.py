"""What a `real-time` query needs beyond its plan: prompt clients, and a slot per partition.

Each partition is read by a task that stays for the whole batch: without a slot of its own a
partition would not be read at all.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.connectors.kafka_properties import PRODUCER_DEFAULTS
from penstock.errors import RunError
from penstock.plan.query import Execution
from penstock.plan.settings import SETTINGS
from penstock.runtime.offset_lookup import kafka_sources, partitions_of, topics_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from penstock.connectors.kafka_specs import KafkaTarget
    from penstock.plan.query import Query

_INTERVAL = SETTINGS["penstock.real-time.commit-interval"]
# A record is sent when it comes, and fetched when it is there.
_PRODUCER = {"linger.ms": "0", "batch.size": "16384"}
# Slots for partitions that are added while the job runs; a thread that waits costs nothing.
_SPARE_SLOTS = 4
_LOCAL = re.compile(r"local(?:\[(?P<cores>\*|\d+)(?P<retries>,\d+)?\])?")


def commit_interval_ms(settings: Mapping[str, str]) -> int:
    """How often the progress of a real-time query is noted."""
    given = settings.get(_INTERVAL.key)
    return int(_INTERVAL.parse(given) if given else _INTERVAL.default or 0)


def prompt_target(target: KafkaTarget) -> KafkaTarget:
    """The same target, whose producer does not wait for more; what a user chose stays."""
    chosen = dict(target.properties)
    unchosen = {k: v for k, v in _PRODUCER.items() if chosen.get(k) == PRODUCER_DEFAULTS.get(k)}
    return replace(target, properties=tuple({**chosen, **unchosen}.items()))


def slots_needed(queries: Iterable[Query]) -> int:
    """Task slots that these queries need at the same time, 0 if none is real-time."""
    queries = tuple(queries)
    partitions = _partitions(queries)
    others = any(query.execution is not Execution.REAL_TIME for query in queries)
    return partitions + others if partitions else 0


def check_slots(queries: tuple[Query, ...], slots: int) -> None:
    """Refuse to start where a partition would wait for ever."""
    needed = slots_needed(queries)
    if needed > slots:
        partitions = _partitions(queries)
        raise RunError("TOO_FEW_SLOTS", partitions=partitions, needed=needed, slots=slots)


def master_with_slots(master: str, queries: tuple[Query, ...]) -> str:
    """A local master with as many threads as the queries need; another one stays as it is."""
    local = _LOCAL.fullmatch(master)
    needed = slots_needed(queries)
    if local is None or not needed:
        return master
    cores = local["cores"] or "1"
    given = os.cpu_count() or 1 if cores == "*" else int(cores)
    return f"local[{max(given, needed + _SPARE_SLOTS)}{local['retries'] or ''}]"


def _partitions(queries: Iterable[Query]) -> int:
    return sum(
        len(partitions_of(topics_of(source)))
        for query in queries
        if query.execution is Execution.REAL_TIME
        for source in kafka_sources(query)
    )
