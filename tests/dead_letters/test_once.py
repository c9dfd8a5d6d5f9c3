"""Each letter is there once: batches run again, processes killed, topics that refuse letters."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from penstock import PenstockError
from penstock.kafka import admin
from penstock.kafka.record import Record
from penstock.kafka.records import produce
from tests.dead_letters.bad_messages import (
    EVERY,
    EXACTLY_ONCE,
    WAIT_S,
    BadMessages,
    bad,
    letters_to,
    number_of,
)
from tests.helpers import last_commit, take_back

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

pytestmark = pytest.mark.kafka


def bad_of(numbers: Iterable[int]) -> list[int]:
    return [number for number in numbers if bad(number)]


def numbers(messages: BadMessages) -> list[int]:
    """Those of the letters, in order: twice what is there twice."""
    return [number_of(letter) for letter in messages.letters()]


def assert_each_once(messages: BadMessages, rows: int) -> None:
    assert messages.copies() == Counter(n for n in range(rows) if not bad(n))
    assert numbers(messages) == bad_of(range(rows))


@pytest.mark.parametrize("sink", [EXACTLY_ONCE, ""], ids=["exactly-once", "at-least-once"])
def test_a_batch_that_is_run_again(sink: str, messages: BadMessages) -> None:
    script = messages.script(letters_to(messages.letters_topic), sink=sink)
    for batch in range(3):
        messages.send(range(batch * 2 * EVERY, (batch + 1) * 2 * EVERY))
        messages.run(script)
        take_back(last_commit(messages.folder))
        again = messages.run(script)
        assert again.dead_letters == 2, "it was met again"
    assert numbers(messages) == bad_of(range(6 * EVERY))
    if sink:
        assert_each_once(messages, 6 * EVERY)


def test_other_bytes_at_the_same_place_are_another_letter(messages: BadMessages) -> None:
    script = messages.script(letters_to(messages.letters_topic))
    messages.send([*range(10), EVERY // 2])
    messages.run(script)
    admin.delete_topic(messages.properties, messages.source)
    admin.create_topic(messages.properties, messages.source, partitions=2)
    messages.send([*range(10), 2 * EVERY + EVERY // 2])
    take_back(last_commit(messages.folder))
    settings = {"penstock.on-data-loss": "continue"}
    messages.run(script, **settings)
    assert numbers(messages) == [EVERY // 2, 2 * EVERY + EVERY // 2]


def test_letters_that_were_written_before_a_crash_are_not_written_again(
    messages: BadMessages,
) -> None:
    """The first attempt fails behind its letters: at a message that no handler meets."""
    script = messages.script(letters_to(messages.letters_topic))
    last = 20 * EVERY - 1
    failing = script.replace("SELECT n FROM", f"SELECT 1 / (n - {last}) FROM")
    messages.send(range(last + 1))
    with pytest.raises(PenstockError) as caught:
        messages.start(failing).wait(WAIT_S)
    assert caught.value.code == "BAD_VALUE"
    before = len(numbers(messages))
    messages.run(script)
    assert before > 0
    assert numbers(messages) == bad_of(range(last))


def test_a_topic_that_takes_no_letters(messages: BadMessages) -> None:
    """It fails before its batch is done; with another topic nothing is missing.

    One task of two meets a bad message: the rows of the other are written before.
    """
    small = f"{messages.letters_topic}_small"
    admin.create_topic(messages.properties, small, config={"max.message.bytes": "100"})
    messages.send(range(EVERY))
    for _ in range(2):
        with pytest.raises(PenstockError) as caught:
            messages.start(messages.script(letters_to(small), sink=EXACTLY_ONCE)).wait(WAIT_S)
        assert caught.value.code == "DEAD_LETTER_FAILED"
        assert f"table `numbers` to its topic of dead letters, '{small}'" in str(caught.value)
    messages.run(messages.script(letters_to(messages.letters_topic), sink=EXACTLY_ONCE))
    assert_each_once(messages, EVERY)


def test_a_bounded_query_that_is_run_again(messages: BadMessages) -> None:
    bound = ", 'scan.bounded.mode' = 'latest-offset'"
    script = messages.script(letters_to(messages.letters_topic) + bound, sink=EXACTLY_ONCE)
    messages.send(range(2 * EVERY))
    assert messages.run(script).dead_letters == 2
    assert_each_once(messages, 2 * EVERY)
    messages.run(script)
    assert numbers(messages) == bad_of(range(2 * EVERY))


def test_keys(messages: BadMessages) -> None:
    """A message whose key and value are both bad is one letter, with the error of its key."""
    options = ", 'key.format' = 'json', 'key.fields' = 'id', 'value.fields-include' = 'EXCEPT_KEY'"
    columns = "id BIGINT, n BIGINT"
    good, broken = b'{"n": 1, "id": 1}', b"{"
    records = [
        Record(value, key=key, headers=(("number", b"%d" % number),))
        for number, (key, value) in enumerate(
            ((good, good), (broken, good), (good, broken), (broken, broken))
        )
    ]
    produce(messages.properties, messages.source, records)
    letters = letters_to(messages.letters_topic)
    table = messages.run(messages.script(letters + options, columns=columns))
    assert messages.copies() == Counter({1: 1})
    assert (table.rows_in, table.dead_letters) == (4, 3)
    found = messages.letters()
    assert [number_of(letter) for letter in found] == [1, 2, 3]
    assert [(r.key, r.value) for r in found] == [(r.key, r.value) for r in records[1:]]
    errors = [dict(letter.headers)["penstock.error"] for letter in found]
    assert all(errors)


def test_real_time(messages: BadMessages) -> None:
    """Letters come while the batch is open; one that is broken off is run again."""
    script = messages.script(letters_to(messages.letters_topic))
    how = {"penstock.latency": "real-time", "penstock.real-time.commit-interval": "5 s"}
    messages.send(range(EVERY))
    for rows in (EVERY, 2 * EVERY):
        job = messages.start(script, drain=False, **how)
        messages.wait_for_letters(len(bad_of(range(rows))))
        messages.send(range(rows, rows + EVERY))
        expected = bad_of(range(rows + EVERY))
        messages.wait_for_letters(len(expected))
        job.raise_failure()
        job.stop(grace_s=0)
        assert numbers(messages) == expected


def test_killed_and_resumed(messages: BadMessages) -> None:
    """As processes, Python's and Java's, in the middle of a batch."""
    rows, kills = 30_000, 3
    file = messages.folder / "bad.sql"
    file.write_text(messages.script(letters_to(messages.letters_topic), sink=EXACTLY_ONCE))
    share = rows // (kills + 1)
    for number in range(kills):
        messages.send(range(number * share, (number + 1) * share))
        seen = len(messages.letters())
        process = _start(messages, share // 10)
        messages.wait_for_letters(seen + 1)
        time.sleep(0.2 * number)
        _kill(process, messages.folder / ".penstock" / "bad" / "lock")
    messages.send(range(kills * share, rows))
    said = messages.folder / "out.txt"
    assert _start(messages, rows, "--drain").wait(WAIT_S) == 0, said.read_text()
    assert_each_once(messages, rows)


def _kill(process: subprocess.Popen[bytes], lock: Path) -> None:
    """The lock names Java's process, which is no child of the group's."""
    java = int(lock.read_text().splitlines()[1].split()[0])
    for pid in (process.pid, java):
        os.kill(pid, signal.SIGKILL)
    process.wait()


def _start(messages: BadMessages, batch: int, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "penstock", "run", str(messages.folder / "bad.sql")]
    limit = ["--set", f"penstock.max-offsets-per-batch={batch}", "--bootstrap", messages.address]
    with (messages.folder / "out.txt").open("ab") as said:
        return subprocess.Popen(
            [*command, *limit, *arguments], stdout=said, stderr=said, start_new_session=True
        )
