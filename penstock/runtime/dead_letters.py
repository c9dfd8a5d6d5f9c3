"""Where the queries of a plan send messages that they cannot read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.runtime.offset_lookup import kafka_sources

if TYPE_CHECKING:
    from penstock.plan.nodes import ScriptPlan


@dataclass(frozen=True, slots=True)
class LetterTopic:
    """A topic of dead letters, and the properties of the client that reads it."""

    topic: str
    properties: tuple[tuple[str, str], ...]


def letter_topics(plan: ScriptPlan) -> tuple[LetterTopic, ...]:
    """The topics of the tables that queries read, each once."""
    found = {
        LetterTopic(source.reading.failures.topic, source.properties)
        for query in plan.queries
        for source in kafka_sources(query)
        if source.reading.failures.topic
    }
    return tuple(sorted(found, key=lambda one: (one.topic, one.properties)))
