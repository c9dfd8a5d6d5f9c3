"""Aggregates by arrival: what comes in a later batch came later, whatever its offset is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from penstock import PenstockError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.upsert_kafka.upserts import Upserts

pytestmark = pytest.mark.kafka

_EACH = "FIRST_VALUE(n), LAST_VALUE(n), LISTAGG(CAST(n AS STRING)), ARRAY_AGG(n)"
_COLUMNS = "k STRING, f INT, l INT, s STRING, a ARRAY<INT>{}, PRIMARY KEY (k) NOT ENFORCED"
# The last one keeps its values one by one, so that the changelog engine runs it.
QUERIES = {
    "Spark's own": (f"SELECT k, {_EACH} FROM t GROUP BY k", ""),
    "changelog": (f"SELECT k, {_EACH}, COUNT(DISTINCT n) FROM t GROUP BY k", ", c BIGINT"),
}
_JSON = {"connector": "kafka", "format": "json", "scan__startup__mode": "earliest-offset"}


class Rows:
    """A topic with two partitions, and what is known of its one key."""

    def __init__(self, upserts: Upserts, topic: Callable[..., str]) -> None:
        self.upserts = upserts
        self.source, self.out = topic("rows", partitions=2), topic("out")

    def send(self, partition: int, *numbers: int, topic: str = "") -> None:
        lines = [{"partition": partition, "value": {"k": "a", "n": n}} for n in numbers]
        self.upserts.send(topic or self.source, lines)

    def seen(self) -> list[object]:
        (row,) = self.upserts.table(self.out).values()
        return [row["f"], row["l"], row["s"], row["a"]]


@pytest.fixture
def rows(upserts: Upserts, topic: Callable[..., str]) -> Rows:
    return Rows(upserts, topic)


@pytest.mark.parametrize("engine", QUERIES)
def test_a_partition_with_lower_offsets_comes_later(engine: str, rows: Rows) -> None:
    query, more = QUERIES[engine]
    rows.upserts.create("t", "k STRING, n INT", rows.source, **_JSON)
    rows.upserts.create("seen", _COLUMNS.format(more), rows.out)
    rows.send(0, 1, 2, 3)
    rows.upserts.run(f"INSERT INTO seen {query};", name=rows.out)
    assert rows.seen() == [1, 3, "1,2,3", [1, 2, 3]]
    rows.send(1, 4)
    rows.upserts.run(f"INSERT INTO seen {query};", name=rows.out)
    assert rows.seen() == [1, 4, "1,2,3,4", [1, 2, 3, 4]]


def test_of_two_topics_the_shorter_one_comes_later(rows: Rows, topic: Callable[..., str]) -> None:
    other = topic("other")
    for name, source in (("one", rows.source), ("two", other)):
        rows.upserts.create(name, "k STRING, n INT", source, **_JSON)
    rows.upserts.create("seen", _COLUMNS.format(""), rows.out)
    union = "(SELECT * FROM one UNION ALL SELECT * FROM two)"
    query = f"INSERT INTO seen SELECT k, {_EACH} FROM {union} GROUP BY k;"
    rows.send(0, 1, 2, 3)
    rows.upserts.run(query, name=rows.out)
    rows.send(0, 4, topic=other)
    rows.upserts.run(query, name=rows.out)
    assert rows.seen() == [1, 4, "1,2,3,4", [1, 2, 3, 4]]


def test_a_state_whose_order_has_no_batches_is_refused(rows: Rows) -> None:
    query = f"INSERT INTO seen {QUERIES['changelog'][0]};"
    rows.upserts.create("t", "k STRING, n INT", rows.source, **_JSON)
    rows.upserts.create("seen", _COLUMNS.format(", c BIGINT"), rows.out)
    rows.send(0, 1)
    rows.upserts.run(query, name=rows.out)
    (file,) = rows.upserts.folder.rglob("shape.json")
    shape = json.loads(file.read_text())
    del shape["operators"][0]["facts"]["order of arrival"]
    file.write_text(json.dumps(shape))
    with pytest.raises(PenstockError, match="the order of arrival changed from none to batch"):
        rows.upserts.run(query, name=rows.out)
