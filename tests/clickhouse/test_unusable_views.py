"""Views that cannot be planned any more: they are dropped and made anew, and nothing is lost."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from penstock.kafka.record import Record
from penstock.kafka.records import produce

if TYPE_CHECKING:
    from pathlib import Path

    from tests.clickhouse.server import Server

pytestmark = pytest.mark.kafka

KEPT = "CREATE TABLE kept (n Int64) ENGINE = MergeTree ORDER BY n;"
VIEW = "CREATE MATERIALIZED VIEW v TO kept AS SELECT n FROM queue;"


def _queue(server: Server, schema: Path) -> str:
    schema.write_text('syntax = "proto3"; message Row { int64 n = 1; }')
    return server.queue(kafka_format="ProtobufSingle", kafka_schema=f"{schema}:Row")


def _send(server: Server, *numbers: int) -> None:
    """Numbers of less than seven bits, as messages with one field."""
    produce(server.properties, server.source, [Record(bytes([8, n])) for n in numbers])


@pytest.mark.parametrize("served", [False, True])
def test_a_view_whose_schema_was_away_reads_nothing_twice(
    served: bool, server: Server, tmp_path: Path
) -> None:
    """Also if it still runs where the schema was there when it began."""
    schema = tmp_path / "row.proto"
    made = _queue(server, schema)
    server.sql(made + KEPT + VIEW)
    _send(server, 1, 2)
    job = server.serve(drain=not served)
    server.await_numbers([1, 2])
    schema.unlink()
    server.sql("DROP VIEW v; DROP TABLE queue;")
    assert job._running == []
    _queue(server, schema)
    _send(server, 3)
    server.sql(made + VIEW)
    if not served:
        server.serve(drain=True)
    server.await_numbers([1, 2, 3])


def _spoil(server: Server) -> None:
    """The query of the view is in nobody's words any more."""
    found = server.warehouse.read()
    spoiled = (
        replace(one, sql=one.sql.replace("SELECT", "SELEC")) if one.name == "v" else one
        for one in found.objects
    )
    server.warehouse.write(replace(found, objects=tuple(spoiled)))


def test_a_view_that_replaces_one_that_cannot_be_read_goes_on(server_at_rest: Server) -> None:
    server = server_at_rest
    source = KEPT.replace("kept", "source")
    view = VIEW.replace("queue", "source")
    server.sql(source + KEPT + view + "INSERT INTO source VALUES (1);")
    assert server.numbers() == [1]
    _spoil(server)
    server.sql("INSERT INTO source VALUES (2);")
    assert server.numbers() == [1]
    server.sql(view.replace("CREATE", "CREATE OR REPLACE"))
    server.serve(drain=True)
    assert server.numbers() == [1, 2]
