"""Dates, times and decimals in units that no table of ours would derive."""

from __future__ import annotations

import datetime as dt
import decimal
from typing import TYPE_CHECKING, Any

import pytest

from penstock.errors import PenstockError
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from tests.registries.messages import read, written
from tests.registries.numbers import options

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.kafka_table.tables import Tables
    from tests.registries.apicurio import Registry

pytestmark = pytest.mark.kafka

OFF = "'avro-confluent.properties' = 'auto.register.schemas:false'"
MOMENT_MICROS = 1_704_164_645_678_000
MOMENT = dt.datetime(2024, 1, 2, 3, 4, 5, 678_000, tzinfo=dt.timezone.utc)
TIME_MICROS = 45_296_789_000
TIME = dt.time(12, 34, 56, 789_000)
DAYS = 19_724
DAY = dt.date(2024, 1, 2)


def _logical(stored: str, name: str) -> dict[str, str]:
    return {"type": stored, "logicalType": name}


def _debezium(stored: str, name: str) -> dict[str, Any]:
    return {"type": stored, "connect.version": 1, "connect.name": f"io.debezium.time.{name}"}


# The type of a column, of the field, and what stands there as another reader of Avro sees it.
UNITS = [
    ("TIMESTAMP(3)", "long", MOMENT_MICROS // 1000),
    ("TIMESTAMP(3)", _logical("long", "timestamp-millis"), MOMENT),
    ("TIMESTAMP(3)", _logical("long", "timestamp-micros"), MOMENT),
    ("TIMESTAMP(3)", _logical("long", "timestamp-nanos"), MOMENT_MICROS * 1000),
    ("TIMESTAMP(3)", _logical("long", "local-timestamp-millis"), MOMENT.replace(tzinfo=None)),
    ("TIMESTAMP(3)", _logical("long", "local-timestamp-micros"), MOMENT.replace(tzinfo=None)),
    ("TIMESTAMP(3)", _debezium("long", "Timestamp"), MOMENT_MICROS // 1000),
    ("TIMESTAMP(3)", _debezium("long", "MicroTimestamp"), MOMENT_MICROS),
    ("TIMESTAMP(3)", _debezium("long", "NanoTimestamp"), MOMENT_MICROS * 1000),
    ("TIME(3)", "int", TIME_MICROS // 1000),
    ("TIME(3)", _logical("int", "time-millis"), TIME),
    ("TIME(3)", _logical("long", "time-micros"), TIME),
    ("TIME(3)", _debezium("int", "Time"), TIME_MICROS // 1000),
    ("TIME(3)", _debezium("long", "MicroTime"), TIME_MICROS),
    ("TIME(3)", _debezium("long", "NanoTime"), TIME_MICROS * 1000),
    ("DATE", "int", DAYS),
    ("DATE", _logical("int", "date"), DAY),
    ("DATE", _debezium("int", "Date"), DAYS),
]
COLUMNS = ", ".join(f"c{i} {type_}" for i, (type_, _, _) in enumerate(UNITS))
SCHEMA = {
    "type": "record",
    "name": "Times",
    "fields": [{"name": f"c{i}", "type": type_} for i, (_, type_, _) in enumerate(UNITS)],
}
ROW = {f"c{i}": value for i, (_, _, value) in enumerate(UNITS)}
LITERALS = {
    "TIMESTAMP(3)": "TIMESTAMP '2024-01-02 03:04:05.678'",
    "TIME(3)": "TIME '12:34:56.789'",
    "DATE": "DATE '2024-01-02'",
}


def test_times_are_written_in_the_units_of_a_registered_schema(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    times = topic("times")
    registry.register(f"{times}-value", SCHEMA)
    tables.create("times", COLUMNS, options(times, registry.url, OFF))
    values = ", ".join(LITERALS[type_] for type_, _, _ in UNITS)
    tables.run(f"INSERT INTO times VALUES ({values});")
    (found,) = consume(tables.properties, times, from_beginning=True, until_end=True)
    assert read(SCHEMA, found.value or b"") == ROW


def test_times_are_read_in_the_units_of_their_writer(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    times = topic("times")
    known = registry.register(f"{times}-value", SCHEMA)
    produce(tables.properties, times, [Record(written(SCHEMA, known, ROW))])
    tables.create("times", COLUMNS, options(times, registry.url))
    texts = ", ".join(f"CAST(c{i} AS STRING)" for i in range(len(UNITS)))
    names = ", ".join(f"c{i} STRING" for i in range(len(UNITS)))
    (found,) = tables.rows(f"SELECT {texts} FROM times", names)
    shown = {
        "TIMESTAMP(3)": "2024-01-02 03:04:05.678",
        "TIME(3)": "12:34:56.789",
        "DATE": "2024-01-02",
    }
    assert found == {f"c{i}": shown[type_] for i, (type_, _, _) in enumerate(UNITS)}


# Avro itself would take some of these for each other, and give another time.
OTHERS = [
    ("TIMESTAMP(3)", _logical("int", "date"), DAY),
    ("TIMESTAMP(3)", _logical("int", "time-millis"), TIME),
    ("TIMESTAMP(3)", _logical("long", "time-micros"), TIME),
    ("TIMESTAMP(3)", "int", 1),
    ("TIMESTAMP(3)", _logical("long", "hours"), 1),
    ("TIMESTAMP(3)", _debezium("long", "MicroDuration"), 1),
    ("TIME(3)", _logical("int", "date"), DAY),
    ("TIME(3)", _logical("long", "timestamp-millis"), MOMENT),
    ("TIME(3)", "long", 1),
    ("TIME(3)", _debezium("int", "Date"), 1),
    ("DATE", _logical("int", "time-millis"), TIME),
    ("DATE", _logical("long", "timestamp-millis"), MOMENT),
    ("DATE", "long", 1),
    ("DATE", _debezium("int", "Year"), 1),
]


@pytest.mark.parametrize(("column", "type_", "value"), OTHERS)
def test_another_kind_of_time_is_refused(
    tables: Tables,
    registry: Registry,
    topic: Callable[..., str],
    column: str,
    type_: Any,
    value: object,
) -> None:
    times = topic("times")
    schema = {"type": "record", "name": "T", "fields": [{"name": "c", "type": type_}]}
    known = registry.register(f"{times}-value", schema)
    tables.create("times", f"c {column}", options(times, registry.url, OFF))
    with pytest.raises(PenstockError) as caught:
        tables.run(f"INSERT INTO times VALUES ({LITERALS[column]});")
    assert caught.value.code == "REGISTRY_REFUSED"
    assert f"'{times}-value' is not for this table: A value of " in caught.value.text
    produce(tables.properties, times, [Record(written(schema, known, {"c": value}))])
    with pytest.raises(PenstockError) as caught:
        tables.rows("SELECT CAST(c AS STRING) FROM times", "c STRING")
    assert caught.value.code == "BAD_MESSAGE"


def test_a_time_of_no_day(tables: Tables, registry: Registry, topic: Callable[..., str]) -> None:
    times = topic("times")
    schema = {"type": "record", "name": "T", "fields": [{"name": "c", "type": "int"}]}
    known = registry.register(f"{times}-value", schema)
    produce(tables.properties, times, [Record(written(schema, known, {"c": 86_400_000}))])
    tables.create("times", "c TIME(3)", options(times, registry.url))
    with pytest.raises(PenstockError, match="no time of the day: 86400000"):
        tables.rows("SELECT CAST(c AS STRING) FROM times", "c STRING")


def test_decimals_of_fixed_size(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    sums = topic("sums")
    total = {"type": "fixed", "name": "f", "size": 8, "logicalType": "decimal"}
    field = {"name": "total", "type": ["null", {**total, "precision": 10, "scale": 3}]}
    schema = {"type": "record", "name": "Sum", "fields": [field]}
    known = registry.register(f"{sums}-value", schema)
    row = {"total": decimal.Decimal("-12.345")}
    produce(tables.properties, sums, [Record(written(schema, known, row))])
    tables.create("sums", "total DECIMAL(10, 3)", options(sums, registry.url, OFF))
    select = "SELECT CAST(total AS STRING) FROM sums"
    assert tables.rows(select, "total STRING") == [{"total": "-12.345"}]
    tables.run("INSERT INTO sums SELECT total * 2 FROM sums;")
    found = list(consume(tables.properties, sums, from_beginning=True, until_end=True))
    assert read(schema, found[1].value or b"") == {"total": decimal.Decimal("-24.690")}


def test_decimals_of_any_scale_are_refused(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    sums = topic("sums")
    field = {"name": "total", "type": _logical("bytes", "big-decimal")}
    schema = {"type": "record", "name": "Sum", "fields": [field]}
    known = registry.register(f"{sums}-value", schema)
    produce(tables.properties, sums, [Record(written(schema, known, {"total": b"\2\4\2"}))])
    tables.create("sums", "total DECIMAL(10, 2)", options(sums, registry.url))
    with pytest.raises(PenstockError, match=r"it was written as .*big-decimal"):
        tables.rows("SELECT CAST(total AS STRING) FROM sums", "total STRING")


@pytest.mark.parametrize("union", [["int"], ["int", "null"], "int"])
def test_null_is_written_only_where_the_schema_has_it(
    tables: Tables,
    registry: Registry,
    topic: Callable[..., str],
    union: Any,
) -> None:
    numbers = topic("numbers")
    schema = {"type": "record", "name": "N", "fields": [{"name": "n", "type": union}]}
    registry.register(f"{numbers}-value", schema)
    tables.create("numbers", "n INT", options(numbers, registry.url, OFF))
    tables.run("INSERT INTO numbers VALUES (7);")
    (found,) = consume(tables.properties, numbers, from_beginning=True, until_end=True)
    assert read(schema, found.value or b"") == {"n": 7}
    nothing = "INSERT INTO numbers VALUES (CAST(NULL AS INT));"
    if "null" in union:
        tables.run(nothing)
        return
    with pytest.raises(PenstockError, match=r"NOT NULL in the Avro schema \(field `n`\)"):
        tables.run(nothing)


@pytest.mark.parametrize("type_", ["long", ["null"], ["null", "int", "string"]])
def test_a_registered_schema_that_is_no_record(
    tables: Tables, registry: Registry, topic: Callable[..., str], type_: Any
) -> None:
    numbers = topic("numbers")
    registry.register(f"{numbers}-value", type_)
    tables.create("numbers", "n INT", options(numbers, registry.url, OFF))
    with pytest.raises(PenstockError, match="is not for this table: ") as caught:
        tables.run("INSERT INTO numbers VALUES (7);")
    assert caught.value.code == "REGISTRY_REFUSED"
