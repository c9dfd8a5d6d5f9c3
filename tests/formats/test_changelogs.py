"""Recorded changes of the table `products`, read and written again: folded, they are the table.

Each sequence is what one tool tells of the same history. All of them run in one job.
"""

from __future__ import annotations

import json
import re
import uuid
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from penstock import DataError, Session
from penstock.kafka import admin
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from tests.envelopes import record_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus

pytestmark = pytest.mark.kafka

_RECORDED = Path(__file__).parent / "recorded"
_CASES = Path(__file__).parents[1] / "cases" / "formats"
_COLUMNS = "id INT, name STRING, description STRING, weight FLOAT"
_LIMIT_S = 120

Product = tuple[int, str, str | None, float]

# The table as it is after the history; two of the tools tell some more of it.
PRODUCTS: dict[int, Product] = {
    101: (101, "kettle", "1.7 litre kettle", 1.25),
    102: (102, "lamp", "desk lamp, 40 W", 2.2),
    103: (103, "rope", '20 m of "climbing" rope', 1.9),
    104: (104, "nails", "box of 4 inch nails", 0.75),
    105: (105, "nails", "box of 6 inch nails", 0.875),
    106: (106, "saw", "hand saw, 60 cm", 1.0),
    107: (107, "bricks", "pallet of red bricks", 5.1),
    108: (108, "jacket", "Regenjacke, Größe M", 0.1),
    109: (109, "tyre", "24 inch tyre", 22.2),
    110: (110, "coat", "new white rain coat", 0.5),
}
LONGER = {id_: row for id_, row in PRODUCTS.items() if id_ not in (102, 103)} | {
    101: (101, "kettle", "1.7 litre kettle", 5.17)
}


@dataclass(frozen=True)
class Sequence:
    """The messages of a tool, how many changes they are, what the table is after them."""

    file: Path
    format: str
    options: str = ""
    changes: int = 20
    table: tuple[Product, ...] = tuple(PRODUCTS.values())


SEQUENCES = {
    "debezium": Sequence(_CASES / "debezium_json.in.products.jsonl", "debezium-json"),
    "debezium_schema": Sequence(
        _RECORDED / "debezium_schema.jsonl",
        "debezium-json",
        ", 'debezium-json.schema-include' = 'true'",
    ),
    "debezium_reordered": Sequence(_RECORDED / "debezium_reordered.jsonl", "debezium-json"),
    "debezium_postgres": Sequence(_RECORDED / "debezium_postgres.jsonl", "debezium-json"),
    "ogg": Sequence(_CASES / "ogg_json.in.products.jsonl", "ogg-json"),
    "canal": Sequence(
        _CASES / "canal_json.in.products.jsonl",
        "canal-json",
        ", 'canal-json.table.include' = 'products'",
        changes=26,
        table=tuple(LONGER.values()),
    ),
    "maxwell": Sequence(
        _CASES / "maxwell_json.in.products.jsonl",
        "maxwell-json",
        changes=26,
        table=tuple(LONGER.values()),
    ),
}
WITHOUT_BEFORE = {
    "debezium": Sequence(_RECORDED / "debezium_default_identity.jsonl", "debezium-json"),
    "ogg": Sequence(_RECORDED / "ogg_compressed.jsonl", "ogg-json"),
}


class Topics:
    """Topics of one test, filled with what was recorded."""

    def __init__(self, address: str) -> None:
        self.properties = {"bootstrap.servers": address}
        self.prefix = f"changes_{uuid.uuid4().hex[:8]}_"

    def source(self, name: str, sequence: Sequence, *, key: str = "", options: str = "") -> str:
        """A table over a new topic that holds a sequence."""
        self.create(f"{name}_in")
        lines = sequence.file.read_text(encoding="utf-8").splitlines()
        records = [record_of(json.loads(line)) for line in lines]
        produce(self.properties, f"{self.prefix}{name}_in", records)
        return self.table(
            f"{name}_in",
            _COLUMNS + key,
            f"'format' = '{sequence.format}', 'scan.startup.mode' = 'earliest-offset'"
            f"{sequence.options}{options}",
        )

    def create(self, name: str) -> None:
        admin.create_topic(self.properties, self.prefix + name, partitions=1)

    def table(self, name: str, columns: str, options: str) -> str:
        return (
            f"CREATE TABLE {name} ({columns}) WITH ('connector' = 'kafka', "
            f"'properties.bootstrap.servers' = 'x:1', 'topic' = '{self.prefix}{name}', {options});"
        )

    def values(self, name: str) -> list[dict[str, dict[str, object] | None]]:
        found = consume(self.properties, self.prefix + name, from_beginning=True, until_end=True)
        return [json.loads(record.value or b"null") for record in found]


@pytest.fixture(scope="module")
def copies(
    spark: SparkSession, broker: BrokerStatus, tmp_path_factory: pytest.TempPathFactory
) -> Topics:
    """Every sequence, copied into a topic of `debezium-json`."""
    topics = Topics(broker.address)
    script = ""
    for name, sequence in SEQUENCES.items():
        topics.create(f"{name}_out")
        script += topics.source(name, sequence)
        script += topics.table(f"{name}_out", _COLUMNS, "'format' = 'debezium-json'")
        script += f"INSERT INTO {name}_out SELECT * FROM {name}_in;"
    session = Session(
        spark, bootstrap=broker.address, state_dir=tmp_path_factory.mktemp("changelogs")
    )
    assert session.execute(script, name="copies", drain=True).wait(_LIMIT_S)
    return topics


@pytest.mark.parametrize("name", SEQUENCES)
def test_folded_changes_are_the_table(copies: Topics, name: str) -> None:
    messages = copies.values(f"{name}_out")
    assert len(messages) == SEQUENCES[name].changes
    rows: Counter[tuple[object, ...]] = Counter()
    for message in messages:
        before, after = message["before"], message["after"]
        if before:
            gone = tuple(before.values())
            assert rows[gone], f"{gone} is deleted, but was not there"
            rows[gone] -= 1
        if after:
            rows[tuple(after.values())] += 1
    assert sorted(rows.elements(), key=str) == sorted(SEQUENCES[name].table, key=str)


@pytest.mark.parametrize("name", WITHOUT_BEFORE)
def test_rows_replace_each_other_where_the_ones_before_are_missing(
    spark: SparkSession,
    broker: BrokerStatus,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    sequence = WITHOUT_BEFORE[name]
    topics = Topics(broker.address)
    script = topics.source(
        name,
        sequence,
        key=", PRIMARY KEY (id) NOT ENFORCED",
        options=f", '{sequence.format}.missing-before' = 'upsert'",
    )
    script += f"CREATE TABLE shown ({_COLUMNS}) WITH ('connector' = 'print');"
    script += f"INSERT INTO shown SELECT * FROM {name}_in;"
    session = Session(spark, bootstrap=broker.address, state_dir=tmp_path)
    assert session.execute(script, drain=True).wait(_LIMIT_S)
    table: dict[int, str] = {}
    for line in capsys.readouterr().out.splitlines():
        kind, row = line[:2], line[2:]
        id_ = int(re.findall(r"\d+", row)[0])
        if kind in ("+I", "+U"):
            table[id_] = row
        else:
            del table[id_]
    assert sorted(table.values()) == sorted(f"[{', '.join(map(str, r))}]" for r in sequence.table)


@pytest.mark.parametrize(
    ("message", "column"),
    [
        (b'{"op":"c","before":null,"after":{"id":1,"name":null}}', "name"),
        (b'{"op":"d","before":{"id":null,"name":"a"},"after":null}', "id"),
    ],
    ids=["a row that is there", "a key"],
)
def test_null_is_refused_but_in_what_is_deleted(
    spark: SparkSession, broker: BrokerStatus, tmp_path: Path, message: bytes, column: str
) -> None:
    topics = Topics(broker.address)
    for name in ("strict_in", "strict_out"):
        topics.create(name)
    produce(topics.properties, f"{topics.prefix}strict_in", [Record(message)])
    begin = "'format' = 'debezium-json', 'scan.startup.mode' = 'earliest-offset'"
    key = "id INT, name STRING NOT NULL, PRIMARY KEY (id) NOT ENFORCED"
    script = topics.table("strict_in", "id INT, name STRING", begin)
    script += topics.table("strict_out", key, "'format' = 'debezium-json'")
    script += "INSERT INTO strict_out SELECT id, name FROM strict_in;"
    session = Session(spark, bootstrap=broker.address, state_dir=tmp_path)
    with pytest.raises(DataError, match=f"Column '{column}' is NOT NULL, however") as caught:
        session.execute(script, drain=True).wait(_LIMIT_S)
    assert caught.value.code == "NULL_IN_NOT_NULL"
