"""Jobs over tables that change, killed again and again: what they wrote folds to the right table.

Groups and joins of `upsert-kafka` tables into others, at least once and exactly once, all in one
job. The short version is in the normal ring, the long one is slow: `make test-slow`.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest

from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from tests.runtime.killed import KilledJob
from tests.upsert_kafka.upserts import folded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from penstock.kafka.broker import BrokerStatus

pytestmark = pytest.mark.kafka

ORDERS, USERS, CITIES = 400, 60, 7
_TABLE = (
    "'connector' = 'upsert-kafka', 'properties.bootstrap.servers' = 'x:1', 'key.format' = 'json', "
    "'value.format' = 'json'"
)
_ONCE = ", 'sink.delivery-guarantee' = 'exactly-once', 'sink.transactional-id-prefix' = 'kills'"
RESULT = "place STRING, orders BIGINT, total BIGINT, dearest INT, PRIMARY KEY (place) NOT ENFORCED"
SCRIPT = f"""
CREATE TABLE orders (id INT, buyer INT, amount INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  {_TABLE}, 'topic' = '%(orders)s');
CREATE TABLE users (id INT, city STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  {_TABLE}, 'topic' = '%(users)s');
CREATE TABLE grouped ({RESULT}) WITH ({_TABLE}, 'topic' = '%(grouped)s');
CREATE TABLE grouped_once ({RESULT}) WITH ({_TABLE}, 'topic' = '%(grouped_once)s'{_ONCE});
CREATE TABLE joined ({RESULT}) WITH ({_TABLE}, 'topic' = '%(joined)s');
CREATE TABLE joined_once ({RESULT}) WITH ({_TABLE}, 'topic' = '%(joined_once)s'{_ONCE});
CREATE VIEW buyers AS
SELECT CAST(buyer AS STRING) AS place, COUNT(*) AS orders, CAST(SUM(amount) AS BIGINT) AS total,
  MAX(amount) AS dearest FROM orders GROUP BY buyer;
CREATE VIEW cities AS
SELECT u.city AS place, COUNT(*) AS orders, CAST(SUM(o.amount) AS BIGINT) AS total,
  MAX(o.amount) AS dearest FROM orders AS o JOIN users AS u ON o.buyer = u.id GROUP BY u.city;
"""
# What fills each table, and so which of both results it must have.
QUERIES = {
    "grouped": "buyers",
    "grouped_once": "buyers",
    "joined": "cities",
    "joined_once": "cities",
}


class Shop(KilledJob):
    """Orders and users that change at random, and what is made of them."""

    def __init__(
        self, folder: Path, address: str, topics: dict[str, str], tables: Iterable[str]
    ) -> None:
        queries = (f"INSERT INTO {name} SELECT * FROM {QUERIES[name]};" for name in tables)
        super().__init__(folder, address, SCRIPT % topics + "\n".join(queries))
        self._topics = topics
        self._chance = random.Random(7)

    def send(self, numbers: range) -> None:
        """So many changes: rows that are new or others than before, and some that go."""
        orders, users = [], []
        for _ in numbers:
            if self._chance.random() < 0.1:
                user = self._chance.randrange(USERS)
                users.append(self._change(user, city=f"city {self._chance.randrange(CITIES)}"))
            else:
                order = self._chance.randrange(ORDERS)
                buyer, amount = self._chance.randrange(USERS), self._chance.randrange(1000)
                orders.append(self._change(order, buyer=buyer, amount=amount))
        produce(self.properties, self._topics["orders"], orders)
        produce(self.properties, self._topics["users"], users)

    def _change(self, id_: int, **row: Any) -> Record:
        gone = self._chance.random() < 0.2
        value = None if gone else json.dumps({"id": id_, **row}).encode()
        return Record(value, key=json.dumps({"id": id_}).encode())

    def records(self, name: str) -> list[Record]:
        properties = {**self.properties, "isolation.level": "read_committed"}
        found = consume(properties, self._topics[name], from_beginning=True, until_end=True)
        return list(found)

    def table(self, name: str) -> dict[Any, Any]:
        return folded(self.records(name))

    def expected(self) -> dict[str, dict[Any, Any]]:
        """The tables of both views, made of all rows at once."""
        buyers, cities = defaultdict(list), defaultdict(list)
        users = self.table("users")
        for order in self.table("orders").values():
            buyers[str(order["buyer"])].append(order["amount"])
            if user := users.get((order["buyer"],)):
                cities[user["city"]].append(order["amount"])
        return {"buyers": _totals(buyers), "cities": _totals(cities)}


def _totals(groups: dict[str, list[int]]) -> dict[Any, Any]:
    return {
        (place,): {"place": place, "orders": len(a), "total": sum(a), "dearest": max(a)}
        for place, a in groups.items()
    }


@pytest.fixture
def shop(
    broker: BrokerStatus,
    topic: Callable[..., str],
    tmp_path: Path,
    tables: tuple[str, ...],
) -> Iterator[Shop]:
    topics = {name: topic(name, partitions=2) for name in ("orders", "users", *QUERIES)}
    job = Shop(tmp_path, broker.address, topics, tables)
    yield job
    job.close()


@pytest.mark.parametrize(
    ("tables", "rows", "kills"),
    [
        pytest.param(("grouped_once", "joined"), 2_000, 1, id="short"),
        pytest.param(tuple(QUERIES), 60_000, 20, id="long", marks=pytest.mark.slow),
    ],
)
def test_killed_at_any_moment(tables: tuple[str, ...], rows: int, kills: int, shop: Shop) -> None:
    shop.kill_again_and_again(shop.send, rows=rows, kills=kills)
    expected = shop.expected()
    assert len(expected["cities"]) == CITIES
    for name in tables:
        assert shop.table(name) == expected[QUERIES[name]], name
        assert not name.endswith("_once") or not _repeated(shop.records(name)), name


def _repeated(records: list[Record]) -> list[Record]:
    """What was written twice: a key is written only when its row has become another."""
    last: dict[bytes | None, bytes | None] = {}
    found = []
    for record in records:
        if record.key in last and last[record.key] == record.value:
            found.append(record)
        last[record.key] = record.value
    return found
