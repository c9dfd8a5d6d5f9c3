"""Of which messages a value was that could not be computed: the block that a stream failed at.

Spark does not tell at which row an expression fails. Called where a query ends by an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import DataError
from penstock.kafka.topic import TopicPartition
from penstock.runtime.offsets import STARTS
from penstock.spark.failure import translate
from penstock.spark.kept import read_kept
from penstock.spark.place import last_batches

if TYPE_CHECKING:
    from collections.abc import Iterable

    from penstock.errors import PenstockError
    from penstock.runtime.state import JobFolder

# More partitions than that are not told.
_MOST_SHOWN = 8


def told(error: Exception, query: str, folder: JobFolder) -> PenstockError:
    """What a query ended with, in a user's words."""
    found = translate(error, query, folder.log_file)
    if found is error or found.code != "BAD_VALUE":
        return found
    places = _messages(folder, query)
    if not places:
        return found
    shown = [f"'{p.topic}' {p.partition} from {start} to {end - 1}" for p, start, end in places]
    more = ["…"] if len(shown) > _MOST_SHOWN else []
    listed = ", ".join(shown[:_MOST_SHOWN] + more)
    reason = f"{found.facts['reason']} It is of these messages, by topic, partition and offsets: "
    return DataError("BAD_VALUE", reason=f"{reason}{listed}.")


def _messages(folder: JobFolder, query: str) -> list[tuple[TopicPartition, int, int]]:
    """Partitions, and from where to before where the block reads them that is begun, not done."""
    begun, done = last_batches(folder.query(query) / "checkpoint")
    if begun <= done:
        return []
    first = read_kept(folder.query(query) / STARTS).values()
    kept = [
        (topic, {int(number): int(at) for number, at in partitions.items()})
        for start in first
        for topic, partitions in start["offsets"].items()
    ]
    starts = _places(folder.batch_offsets(query, begun - 1) or kept)
    ends = _places(folder.batch_offsets(query, begun))
    found = ((place, max(0, starts.get(place, 0)), end) for place, end in sorted(ends.items()))
    return [(place, start, end) for place, start, end in found if end > start]


def _places(offsets: Iterable[tuple[str, dict[int, int]]]) -> dict[TopicPartition, int]:
    return {
        TopicPartition(topic, partition): offset
        for topic, partitions in offsets
        for partition, offset in partitions.items()
    }
