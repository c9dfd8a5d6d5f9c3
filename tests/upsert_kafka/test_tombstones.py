"""What a sink by the key of the rows is told: the new row alone, and no deletion before it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.upsert_kafka.upserts import Upserts

pytestmark = pytest.mark.kafka

_QUERIES = {
    "counted": "SELECT 'all', COUNT(*) FROM numbers",
    "least": "SELECT 'all', n FROM (SELECT n FROM numbers ORDER BY n LIMIT 1)",
    "last": "SELECT 'all', n FROM (SELECT n, ROW_NUMBER() OVER (ORDER BY at DESC) AS place "
    "FROM numbers) WHERE place = 1",
    "cast": "SELECT t, m FROM (SELECT n / 10 AS k, CAST(n / 10 AS STRING) AS t, COUNT(*) AS m "
    "FROM numbers GROUP BY n / 10)",
    "none": "SELECT 'all', COUNT(*) FROM numbers WHERE n > 100",
}
_FOUND = {
    "counted": [("all", 2), ("all", 4)],
    "least": [("all", 4), ("all", 3)],
    "last": [("all", 4), ("all", 8)],
    "cast": [("0", 2), ("0", 4)],
    "none": [],
}


def test_a_row_that_replaces_another_is_one_message(
    upserts: Upserts, topic: Callable[..., str]
) -> None:
    numbers = topic("numbers")
    upserts.create(
        "numbers",
        "n INT, at AS PROCTIME()",
        numbers,
        connector="kafka",
        scan__startup__mode="earliest-offset",
        format="json",
    )
    sinks = {name: topic(name) for name in _QUERIES}
    for name, written in sinks.items():
        upserts.create(name, "a STRING, x BIGINT, PRIMARY KEY (a) NOT ENFORCED", written)
    inserts = "".join(f"INSERT INTO {name} {query};" for name, query in _QUERIES.items())
    for batch in ([9, 4], [3, 8]):
        upserts.send(numbers, [{"n": n} for n in batch])
        upserts.run(inserts, name=numbers)
    for name, written in sinks.items():
        values = [json.loads(record.value or b"null") for record in upserts.records(written)]
        assert [value and (value["a"], value["x"]) for value in values] == _FOUND[name], name
