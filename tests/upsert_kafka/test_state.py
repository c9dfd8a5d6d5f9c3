"""Jobs over `upsert-kafka` tables that go on: exactly once, and with state that is forgotten."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from penstock.errors import PenstockError
from tests.helpers import last_commit, take_back, wait_until
from tests.upsert_kafka.upserts import WAIT_S

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.upsert_kafka.upserts import Upserts

pytestmark = pytest.mark.kafka

TTL_S = 2


def test_a_replayed_batch_is_not_written_again(upserts: Upserts, topic: Callable[..., str]) -> None:
    prices, dear = topic("prices", partitions=2), topic("dear", partitions=2)
    columns = "id INT, price INT, PRIMARY KEY (id) NOT ENFORCED"
    upserts.create("prices", columns, prices)
    upserts.create(
        "dear",
        columns,
        dear,
        sink__delivery_guarantee="exactly-once",
        sink__transactional_id_prefix=dear,
    )
    query = "INSERT INTO dear SELECT * FROM prices WHERE price > 10;"
    upserts.send(
        prices,
        [{"key": {"id": n}, "value": {"id": n, "price": n}, "partition": n % 2} for n in range(30)],
    )
    upserts.run(query, name=dear)
    take_back(last_commit(upserts.folder))
    changes = [{"key": {"id": n}, "value": None, "partition": n % 2} for n in range(11, 15)]
    changes += [
        {"key": {"id": n}, "value": {"id": n, "price": n % 20}, "partition": n % 2}
        for n in range(20, 30)
    ]
    upserts.send(prices, changes)
    job = upserts.start(query, name=dear, drain=False)
    wait_until(lambda: len(upserts.table(dear)) == 5, timeout_s=WAIT_S)
    job.stop(grace_s=0)
    take_back(last_commit(upserts.folder))
    upserts.run(query, name=dear)
    wanted = {(n,): {"id": n, "price": n} for n in range(15, 20)}
    for isolation in ("read_committed", "read_uncommitted"):
        records = upserts.records(dear, isolation)
        assert upserts.table(dear) == wanted
        # 19 rows come, and each of 14 goes once.
        assert sum(record.value is not None for record in records) == 19
        assert sum(record.value is None for record in records) == 14


def test_state_that_nothing_touches_is_forgotten(
    upserts: Upserts, topic: Callable[..., str]
) -> None:
    words, counts = topic("words"), topic("counts")
    upserts.create(
        "words",
        "word STRING",
        words,
        connector="kafka",
        scan__startup__mode="earliest-offset",
        format="json",
    )
    upserts.create("counts", "word STRING, n BIGINT, PRIMARY KEY (word) NOT ENFORCED", counts)
    query = "INSERT INTO counts SELECT word, COUNT(*) FROM words GROUP BY word;"
    settings = {"table__exec__state__ttl": f"{TTL_S} s"}
    upserts.send(words, [{"word": "a"}, {"word": "a"}, {"word": "b"}])
    upserts.run(query, name=counts, **settings)
    assert upserts.table(counts) == {("a",): _row("a", 2), ("b",): _row("b", 1)}
    over = time.monotonic() + TTL_S
    wait_until(lambda: time.monotonic() > over)
    upserts.send(words, [{"word": "a"}])
    upserts.run(query, name=counts, **settings)
    assert upserts.table(counts) == {("b",): _row("b", 1), ("a",): _row("a", 1)}
    # Without it, the state would be another one.
    with pytest.raises(
        PenstockError, match="the engine changed from changelog, layout 2 to Spark's own"
    ):
        upserts.run(query, name=counts)


def test_a_job_goes_on_in_the_time_zone_it_began_in(
    upserts: Upserts, topic: Callable[..., str]
) -> None:
    events, days = topic("events"), topic("days")
    upserts.create(
        "events",
        "at TIMESTAMP_LTZ(3)",
        events,
        connector="kafka",
        scan__startup__mode="earliest-offset",
        format="json",
    )
    upserts.create("days", "d STRING, n BIGINT, PRIMARY KEY (d) NOT ENFORCED", days)
    query = "INSERT INTO days SELECT DATE_FORMAT(at, 'yyyy-MM-dd') AS d, COUNT(*) FROM events "
    query += "GROUP BY DATE_FORMAT(at, 'yyyy-MM-dd');"
    for count, zone in enumerate(({"table__local_time_zone": "Asia/Tokyo"}, {}), 1):
        upserts.send(events, [{"at": "2024-01-01 20:00:00Z"}])
        upserts.run(query, name=days, **zone)
        assert upserts.table(days) == {("2024-01-02",): {"d": "2024-01-02", "n": count}}
    with pytest.raises(PenstockError, match="= 'Asia/Tokyo', and the job sets 'UTC'"):
        upserts.run(query, name=days, table__local_time_zone="Etc/UTC")
    upserts.run(query, name=days, table__local_time_zone="Asia/Tokyo")


def test_the_last_row_of_a_key_is_the_one_that_came_last(
    upserts: Upserts, topic: Callable[..., str]
) -> None:
    people, cities = topic("people", partitions=2), topic("cities")
    columns = "id INT, city STRING, PRIMARY KEY ({}) NOT ENFORCED"
    upserts.create("people", columns.format("id"), people)
    upserts.create("cities", columns.format("city"), cities)
    rows = [{"id": n, "city": "abc"[n % 3]} for n in reversed(range(12))]
    upserts.send(
        people,
        [
            {"key": {"id": row["id"]}, "value": row, "partition": n % 2}
            for n, row in enumerate(rows)
        ],
    )
    upserts.run("INSERT INTO cities SELECT id, city FROM people;")
    assert {city: row["id"] for (city,), row in upserts.table(cities).items()} == {
        "a": 0,
        "b": 1,
        "c": 2,
    }


def _row(word: str, n: int) -> dict[str, object]:
    return {"word": word, "n": n}


def test_what_a_table_does_not_take(upserts: Upserts, topic: Callable[..., str]) -> None:
    codes = topic("codes")
    upserts.create(
        "codes",
        "id INT, code VARCHAR(3) NOT NULL, PRIMARY KEY (id) NOT ENFORCED",
        codes,
        value__fields_include="EXCEPT_KEY",
    )
    upserts.run(
        "INSERT INTO codes SELECT id, code FROM (VALUES (1, 'abcd'), (2, CAST(NULL AS STRING)), "
        "(3, 'x'), (1, 'efgh')) AS v (id, code);",
        table__exec__sink__not_null_enforcer="DROP",
        table__exec__sink__type_length_enforcer="TRIM_PAD",
        table__exec__sink__upsert_materialize="FORCE",
    )
    # Materialized, a batch has one row for each key.
    found = sorted(json.loads(record.value or b"")["code"] for record in upserts.records(codes))
    assert found == ["efg", "x"]
    with pytest.raises(PenstockError, match="Column 'code' is NOT NULL, however, a null value"):
        upserts.run("INSERT INTO codes SELECT 4, CAST(NULL AS STRING);")
