"""Every format on the wire: several rows in a message, and messages that cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.formats.clickhouse import CLICKHOUSE_FORMATS
from penstock.kafka.record import Record
from penstock.kafka.records import produce
from tests.clickhouse.samples import Sample, samples

if TYPE_CHECKING:
    from tests.clickhouse.queue import Queue
    from tests.clickhouse.server import Server

pytestmark = pytest.mark.kafka

FORMATS = (
    *("JSONEachRow", "JSONStringsEachRow", "JSONCompactEachRow", "CSV", "CSVWithNames"),
    *("TSV", "TSVWithNames", "TSKV", "Avro"),
)
COLUMNS = "id Int64, blockNo UInt16, val1 String, val2 Float32, val3 UInt8"
_LETTERS = "dead_letter_queue"


def test_rows_are_written_and_read_back(queue: Queue) -> None:
    """Five rows in each of two messages."""
    topics = {name: queue.topic(name.lower()) for name in FORMATS}
    rows = ", ".join(f"({n}, {n}, 'AM', 0.5, 1)" for n in range(10))

    def tables(**settings: object) -> str:
        made = (
            queue.table(name, topic, COLUMNS, **settings).replace("'JSONEachRow'", f"'{name}'")
            for name, topic in topics.items()
        )
        return "".join(made)

    written = "".join(f"INSERT INTO {name} VALUES {rows};" for name in FORMATS)
    queue.run(tables(kafka_max_rows_per_message=5) + written)
    assert [len(queue.messages(topic)) for topic in topics.values()] == [2] * len(FORMATS)
    parts = (
        f"SELECT '{name}' AS format, id + blockNo AS n, _offset AS at FROM {name} "
        "WHERE val1 = 'AM' AND val2 = 0.5 AND val3 = 1"
        for name in FORMATS
    )
    view = f"CREATE MATERIALIZED VIEW v TO copies AS {' UNION ALL '.join(parts)};"
    copies = queue.table("copies", queue.sink, "format String, n Int64, at UInt64")
    queue.run(tables() + copies + view)
    found = sorted((row["format"], row["n"], row["at"]) for row in queue.rows())
    assert found == sorted((name, 2 * n, n // 5) for name in FORMATS for n in range(10))


def _tables(server: Server, mode: str, found: dict[str, Sample], topics: dict[str, str]) -> str:
    made = (
        server.queue(
            f"{mode}_{name}",
            sample.columns,
            kafka_topic_list=topics[name],
            kafka_group_name=f"{server.group}-{mode}",
            kafka_format=sample.format,
            kafka_handle_error_mode=mode,
            **dict(sample.settings),
        )
        for name, sample in found.items()
    )
    return "".join(made)


def _view(mode: str, found: dict[str, Sample], raw: str, broken: str) -> str:
    """One over all tables of a mode, and the table that it fills."""
    parts = (
        f"SELECT '{name}' AS format, {sample.select}, _offset AS at, {raw} AS raw, "
        f"{broken} AS broken FROM {mode}_{name}"
        for name, sample in found.items()
    )
    columns = f"format String, {COLUMNS}, at UInt64, raw String, broken UInt8"
    table = f"CREATE TABLE of_{mode} ({columns}) ENGINE = MergeTree ORDER BY (format, at);"
    query = " UNION ALL ".join(parts)
    return f"{table} CREATE MATERIALIZED VIEW v_{mode} TO of_{mode} AS {query};"


def _good(name: str, sample: Sample) -> list[list[object]]:
    """Rows of a message have its offset; an empty message has none."""
    return [
        [name, *sample.row(number), at, "", 0]
        for at, numbers in enumerate(sample.blocks, sample.empty)
        for number in numbers
    ]


def _broken(name: str, sample: Sample) -> list[tuple[str, int, str]]:
    first = sample.empty + len(sample.blocks)
    return [(name, at, text.decode()) for at, text in enumerate(sample.broken, first)]


@pytest.mark.slow
def test_every_format_beside_messages_that_cannot_be_read(server: Server) -> None:
    """Some tables make rows of them, the others letters; all rows beside them are there."""
    found = samples(server.folder)
    assert {CLICKHOUSE_FORMATS[one.format].name for one in found.values()} == {
        format_.name for format_ in CLICKHOUSE_FORMATS.values() if format_.name != "AvroConfluent"
    }
    topics = {name: server.topic(name.lower()) for name in found}
    for name, sample in found.items():
        produce(server.properties, topics[name], map(Record, sample.messages))
    server.sql(
        _tables(server, "stream", found, topics)
        + _view("stream", found, "_raw_message", "_error != ''")
        + _tables(server, _LETTERS, found, topics)
        + _view(_LETTERS, found, "''", "0")
    )
    server.serve(drain=True)
    good = [row for name, sample in found.items() for row in _good(name, sample)]
    broken = [one for name, sample in found.items() for one in _broken(name, sample)]
    zeros = [[name, 0, 0, "", 0, 0, at, text, 1] for name, at, text in broken]
    rows = "SELECT * FROM {} FORMAT JSONCompactEachRow"
    assert sorted(server.sql(rows.format("of_stream"))) == sorted([*good, *zeros])
    assert sorted(server.sql(rows.format(f"of_{_LETTERS}"))) == sorted(good)
    letters = server.sql(
        "SELECT table, kafka_offset, raw_message FROM system.dead_letter_queue "
        "FORMAT JSONCompactEachRow"
    )
    told = [[f"{_LETTERS}_{name}", at, text] for name, at, text in broken]
    assert sorted(letters) == sorted(told)
