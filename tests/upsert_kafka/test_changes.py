"""What a reader of an `upsert-kafka` table is told: Flink's own lists of changes, one by one.

Message by message each change is told; of messages that come at once only what they leave.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.upsert_kafka.upserts import Upserts

pytestmark = [pytest.mark.kafka, pytest.mark.slow]

ONE_BY_ONE = {"penstock__max_offsets_per_batch": "1"}
WORDS = "Good good study day day up Good boy"
COUNTED = [("boy", 1), ("day", 1), ("day", 2), ("good", 1), ("good", 2), ("good", 3)]
COUNTED += [("study", 1), ("up", 1)]
CHANGES = {
    "good": ["+I[good, 1]", "-U[good, 1]", "+U[good, 2]", "-U[good, 2]", "+U[good, 3]"],
    "day": ["+I[day, 1]", "-U[day, 1]", "+U[day, 2]"],
    "study": ["+I[study, 1]"],
    "up": ["+I[up, 1]"],
    "boy": ["+I[boy, 1]"],
}
LAST = {word: [changes[-1].replace("+U", "+I")] for word, changes in CHANGES.items()}
COUNTS = "word STRING, n BIGINT, PRIMARY KEY (word) NOT ENFORCED"
RARE = (
    "INSERT INTO {} SELECT n, COUNT(*) FROM counts GROUP BY n HAVING COUNT(*) < 2;"
    "INSERT INTO shown SELECT word, n FROM counts;"
)


def _by_key(text: str) -> dict[str, list[str]]:
    """The lines of `print` by their first column, in the order in which they came."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        found.setdefault(line[3:].split(",")[0], []).append(line)
    return found


def test_counts_of_words(
    upserts: Upserts, topic: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    words, counts, at_once = topic("words"), topic("counts", partitions=4), topic("counts")
    json_ = {"connector": "kafka", "format": "json", "scan__startup__mode": "earliest-offset"}
    upserts.create("words", "word STRING", words, **json_)
    upserts.create("counts", COUNTS, counts)
    upserts.create("counts_at_once", COUNTS, at_once)
    upserts.send(words, [{"word": word} for word in WORDS.split()])
    query = "INSERT INTO {} SELECT LOWER(word), COUNT(*) FROM words GROUP BY LOWER(word);"
    upserts.run(query.format("counts"), **ONE_BY_ONE)
    upserts.run(query.format("counts_at_once"))
    # Read as what it is, the topic has one message for each word that came.
    told = [json.loads(record.value or b"") for record in upserts.records(counts)]
    assert sorted((row["word"], row["n"]) for row in told) == COUNTED
    assert len(upserts.records(at_once)) == len(CHANGES)
    assert upserts.table(at_once) == upserts.table(counts)

    upserts.statement("CREATE TABLE shown (word STRING, n BIGINT) WITH ('connector' = 'print');")
    for name, settings, expected in (("one", ONE_BY_ONE, CHANGES), ("all", {}, LAST)):
        rare = topic(name)
        upserts.create(name, "n BIGINT, times BIGINT, PRIMARY KEY (n) NOT ENFORCED", rare)
        capsys.readouterr()
        upserts.run(RARE.format(name), **settings)
        assert _by_key(capsys.readouterr().out) == expected
        assert upserts.table(rare) == {(n,): {"n": n, "times": 1} for n in (2, 3)}
