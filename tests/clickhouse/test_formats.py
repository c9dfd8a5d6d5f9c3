"""Every format of rows on the wire: several rows in a message, and messages that cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.kafka.record import Record
from penstock.kafka.records import produce

if TYPE_CHECKING:
    from tests.clickhouse.queue import Queue

pytestmark = pytest.mark.kafka

FORMATS = (
    *("JSONEachRow", "JSONStringsEachRow", "JSONCompactEachRow", "CSV", "CSVWithNames"),
    *("TSV", "TSVWithNames", "TSKV", "Avro"),
)
COLUMNS = "id Int64, blockNo UInt16, val1 String, val2 Float32, val3 UInt8"
BROKEN = (b"qwertyuiop", b"asdfghjkl", b"zxcvbnm")


def test_rows_are_written_and_read_back_beside_broken_messages(queue: Queue) -> None:
    """Five rows in each of two messages; three messages are dead letters, each of its own topic.

    To formats with names they are names, of no rows.
    """
    topics = {name: queue.topic(name.lower()) for name in FORMATS}
    rows = ", ".join(f"({n}, {n}, 'AM', 0.5, 1)" for n in range(10))

    def tables(prefix: str, **settings: object) -> str:
        made = (
            queue.table(f"{prefix}_{name}", topic, COLUMNS, **settings).replace(
                "'JSONEachRow'", f"'{name}'"
            )
            for name, topic in topics.items()
        )
        return "".join(made)

    written = "".join(f"INSERT INTO w_{name} VALUES {rows};" for name in FORMATS)
    queue.run(tables("w", kafka_max_rows_per_message=5) + written)
    for topic in topics.values():
        assert len(queue.messages(topic)) == 2
        produce(queue.properties, topic, [Record(value) for value in BROKEN])
    views = "".join(
        f"CREATE MATERIALIZED VIEW v_{name} TO copies AS SELECT '{name}' AS format, id + blockNo "
        f"AS n, _offset AS at FROM r_{name} WHERE val1 = 'AM' AND val2 = 0.5 AND val3 = 1;"
        for name in FORMATS
    )
    copies = queue.table("copies", queue.sink, "format String, n Int64, at UInt64")
    queue.run(tables("r", kafka_handle_error_mode="dead_letter_queue") + copies + views)
    found = sorted((row["format"], row["n"], row["at"]) for row in queue.rows())
    assert found == sorted((name, 2 * n, n // 5) for name in FORMATS for n in range(10))
    for topic in (topic for name, topic in topics.items() if not name.endswith("WithNames")):
        letters = queue.messages(f"{topic}.dead-letters")
        assert [letter.value for letter in letters] == list(BROKEN)
        assert [dict(letter.headers)["penstock.offset"] for letter in letters] == [b"2", b"3", b"4"]
