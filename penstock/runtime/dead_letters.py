"""Where the queries of a plan send messages that they cannot read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.kafka.reach import endpoints
from penstock.runtime.offset_lookup import kafka_sources

if TYPE_CHECKING:
    from penstock.kafka.topic import Endpoint
    from penstock.plan.query import ScriptPlan


@dataclass(frozen=True, slots=True)
class LetterTopic:
    """A topic of dead letters, and the properties of a client that reads and writes it."""

    topic: str
    properties: tuple[tuple[str, str], ...]


def letter_topics(plan: ScriptPlan) -> tuple[LetterTopic, ...]:
    """The topics of the tables that queries read, each once, whatever clients the tables have."""
    found: dict[tuple[str, frozenset[Endpoint]], LetterTopic] = {}
    for query in plan.queries:
        for source in kafka_sources(query):
            if topic := source.reading.failures.topic:
                brokers = frozenset(endpoints(dict(source.properties)["bootstrap.servers"]))
                found.setdefault((topic, brokers), LetterTopic(topic, source.properties))
    return tuple(sorted(found.values(), key=lambda one: (one.topic, one.properties)))
