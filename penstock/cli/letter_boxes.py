"""Which letters a command is about: those of a script's tables, or of a topic."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.cli.bootstrap import client_properties, embedded_address, expect_one_of_both
from penstock.cli.source import arguments_of, located_errors, plan_of
from penstock.errors import KafkaError, OptionError
from penstock.kafka.dead_letters import read_letters, replay
from penstock.runtime.dead_letters import LetterTopic, letter_topics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.kafka.dead_letters import Letter

    Found = list[tuple[LetterTopic, Letter]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A script with what it needs to be planned, or a topic."""

    script: Path | None
    topic: str | None
    bootstrap: str | None
    embedded: bool
    settings: list[str]
    variables: list[str]
    credentials: Path | None
    dialect: str | None


def letters_of(asked: Asked, *, table: str | None = None) -> Found:
    """The letters, each with the topic it is in."""
    found: Found = []
    for box in _boxes(asked):
        for letter in _read(box, may_be_missing=asked.topic is None):
            if table is None or table in letter.tables:
                found.append((box, letter))
    return found


def split_words(words: Sequence[str], topic: str | None) -> tuple[Path | None, list[str]]:
    """The script, which comes first unless a topic is named, and the places."""
    if topic is not None or not words:
        return None, list(words)
    return Path(words[0]), list(words[1:])


def at_places(found: Found, places: Sequence[str]) -> Found:
    """The letters of these places, or an error that names the one there is none of."""
    if not places:
        raise OptionError("INVALID_ARGUMENT", argument="show", expected="Name a place.")
    chosen: Found = []
    for place in places:
        here = [one for one in found if str(one[1].place) == place]
        if not here:
            raise OptionError("UNKNOWN_LETTER", place=f"'{place}'")
        chosen += here
    return chosen


def send_again(letters: Found, *, to: str | None, now: bool) -> int:
    """Replay letters, each box by itself; returns how many."""
    boxes = dict.fromkeys(box for box, _ in letters)
    return sum(
        replay(
            dict(box.properties),
            box.topic,
            (letter for other, letter in letters if other == box),
            to=to,
            now=now,
        )
        for box in boxes
    )


def _boxes(asked: Asked) -> tuple[LetterTopic, ...]:
    if (asked.script is None) == (asked.topic is None):
        expected = "Name a script, or a topic with --topic."
        raise OptionError("INVALID_ARGUMENT", argument="dead-letters", expected=expected)
    address = _address(asked)
    if asked.topic is not None:
        return (LetterTopic(asked.topic, tuple(client_properties(address).items())),)
    assert asked.script is not None  # noqa: S101 — one of the two is given
    arguments = arguments_of(
        asked.script,
        asked.settings,
        asked.variables,
        [],
        bootstrap=address,
        dialect=asked.dialect,
        credentials=asked.credentials,
    )
    with located_errors(arguments):
        boxes = letter_topics(plan_of(arguments))
        if not boxes:
            raise OptionError("NO_DEAD_LETTERS", script=arguments.shown_name)
    return boxes


def _address(asked: Asked) -> str | None:
    expect_one_of_both(asked.bootstrap, embedded=asked.embedded)
    return embedded_address() if asked.embedded else asked.bootstrap


def _read(box: LetterTopic, *, may_be_missing: bool) -> list[Letter]:
    """A job that met no bad message may have no topic for them yet."""
    try:
        return read_letters(dict(box.properties), box.topic)
    except KafkaError as error:
        if may_be_missing and error.code == "TOPIC_MISSING":
            return []
        raise
