"""The letters in a topic of dead letters: found, merged, and sent again.

Jobs write them inside Spark (`penstock.kafka.deadletters` of the Java module); this reads them for
the command line. What was sent again is noted in the same topic, by a message that names the place.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from penstock.kafka.record import Headers

# The first header that a job adds behind those of the message.
_ERROR = "penstock.error"
_REPLAYED, _DIGEST = "penstock.replayed", "penstock.digest"


class Place(NamedTuple):
    """Where a message stood when it could not be read."""

    topic: str
    partition: int
    offset: int

    def __str__(self) -> str:
        return f"{self.topic}/{self.partition}/{self.offset}"


@dataclass(frozen=True, slots=True)
class Letter:
    """A message that could not be read; several queries may have met it.

    `headers` are the message's own, `timestamp` is in ms since 1970.
    """

    place: Place
    key: bytes | None
    value: bytes | None
    headers: Headers
    timestamp: int
    error: str
    field: str
    tables: tuple[str, ...]
    queries: tuple[str, ...]
    replayed: bool = False

    @property
    def id(self) -> tuple[Place, str]:
        """A topic that was created anew has other messages at the same places."""
        return self.place, _digest(self.key, self.value)


def read_letters(properties: Mapping[str, str], topic: str) -> list[Letter]:
    """The letters of a topic by their places, each once; other messages are left alone."""
    found: dict[tuple[Place, str], Letter] = {}
    replayed = set()
    for record in consume(properties, topic, from_beginning=True, until_end=True):
        headers = {name: (value or b"").decode(errors="replace") for name, value in record.headers}
        if _REPLAYED in headers:
            replayed.add((headers[_REPLAYED], headers.get(_DIGEST, "")))
        elif letter := _letter(record, headers):
            known = found.get(letter.id, letter)
            found[letter.id] = replace(
                letter,
                tables=tuple(sorted({*known.tables, *letter.tables})),
                queries=tuple(sorted({*known.queries, *letter.queries})),
            )
    return [
        replace(letter, replayed=(str(place), digest) in replayed)
        for (place, digest), letter in sorted(found.items())
    ]


def replay(
    properties: Mapping[str, str],
    topic: str,
    letters: Iterable[Letter],
    *,
    to: str | None = None,
    now: bool = False,
) -> int:
    """Send messages again, to where they came from or `to` another topic, and note it.

    They keep their time, unless it is to be that of `now`.

    1. Send them. A crash after this leaves them without a note: they can be sent once more.
    2. Note each in the topic of the letters.
    """
    sent = 0
    chosen = list(letters)
    for target in sorted({to or letter.place.topic for letter in chosen}):
        here = [letter for letter in chosen if target == (to or letter.place.topic)]
        sent += produce(properties, target, (_again(letter, to=to, now=now) for letter in here))
        produce(properties, topic, map(_note, here))
    return sent


def _letter(record: Record, headers: Mapping[str, str]) -> Letter | None:
    names = [name for name, _ in record.headers]
    partition, offset = headers.get("penstock.partition", ""), headers.get("penstock.offset", "")
    if _ERROR not in names or not (partition.isdigit() and offset.isdigit()):
        return None
    begin = len(names) - 1 - names[::-1].index(_ERROR)
    return Letter(
        Place(headers.get("penstock.topic", ""), int(partition), int(offset)),
        record.key,
        record.value,
        record.headers[:begin],
        int(headers.get("penstock.timestamp", "-1")),
        headers[_ERROR],
        headers.get("penstock.field", ""),
        (headers.get("penstock.table", ""),),
        (f"{headers.get('penstock.job', '')}/{headers.get('penstock.query', '')}",),
    )


def _again(letter: Letter, *, to: str | None, now: bool) -> Record:
    return Record(
        letter.value,
        letter.key,
        letter.headers,
        partition=None if to else letter.place.partition,
        timestamp=letter.timestamp if letter.timestamp > 0 and not now else None,
    )


def _note(letter: Letter) -> Record:
    place, digest = letter.id
    headers = ((_REPLAYED, str(place).encode()), (_DIGEST, digest.encode()))
    return Record(None, letter.key, headers)


def _digest(key: bytes | None, value: bytes | None) -> str:
    parts = (b"-" if part is None else b"%d:%b" % (len(part), part) for part in (key, value))
    return hashlib.sha256(b"".join(parts)).hexdigest()
