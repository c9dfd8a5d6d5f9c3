"""What the Nexmark queries mean over events at rest, in the SQL of SQLite.

The tables are those of the events, with the time also in milliseconds (`ms`, `expires_ms`) and the
place in the topic (`nr`). `:until` is what the watermark has reached: later windows are not told.
"""

from __future__ import annotations

import csv
import json
import re
import sqlite3
from collections import Counter
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

Row = tuple[object, ...]

_EPOCH = datetime(1970, 1, 1)
_LEVELS = ("1", "price < 10000", "price >= 10000 AND price < 1000000", "price >= 1000000")
_BIDS = ", ".join(f"COUNT(*) FILTER (WHERE {level})" for level in _LEVELS)
_DISTINCT = ", ".join(
    f"COUNT(DISTINCT {what}) FILTER (WHERE {level})"
    for what in ("bidder", "auction")
    for level in _LEVELS
)
_OFFERS = (
    "SELECT a.*, b.auction, b.bidder, b.price, b.dateTime AS bid_dateTime, b.extra AS bid_extra, "
    "b.ms AS bid_ms FROM auction AS a JOIN bid AS b "
    "ON a.id = b.auction AND b.ms BETWEEN a.ms AND a.expires_ms"
)
_CHANNELS = "CASE LOWER(channel) WHEN 'apple' THEN '0' WHEN 'google' THEN '1' "
_CHANNELS += "WHEN 'facebook' THEN '2' WHEN 'baidu' THEN '3' ELSE channel_id(url) END"

ANSWERS = {
    0: "SELECT auction, bidder, price, dateTime, extra FROM bid",
    1: "SELECT auction, bidder, euros(price), dateTime, extra FROM bid",
    2: "SELECT auction, price FROM bid WHERE auction % 123 = 0",
    3: """
        SELECT name, city, state, a.id FROM auction AS a JOIN person AS p ON seller = p.id
        WHERE category = 10 AND state IN ('OR', 'ID', 'CA')""",
    4: f"""
        SELECT category, SUM(final) / COUNT(*)
        FROM (SELECT category, MAX(price) AS final FROM ({_OFFERS}) GROUP BY id, category)
        GROUP BY category""",
    5: """
        WITH RECURSIVE steps(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM steps WHERE n < 4),
        counted AS (
          SELECT auction, ms / 2000 * 2000 - n * 2000 AS began, COUNT(*) AS num
          FROM bid, steps GROUP BY 1, 2)
        SELECT auction, num FROM counted AS c
        WHERE num = (SELECT MAX(num) FROM counted WHERE began = c.began)
          AND began + 10000 <= :until""",
    6: f"""
        SELECT seller, SUM(price) OVER ten / COUNT(*) OVER ten
        FROM (
          SELECT *, ROW_NUMBER() OVER (PARTITION BY id, seller ORDER BY price DESC) AS place
          FROM ({_OFFERS}))
        WHERE place = 1
        WINDOW ten AS (PARTITION BY seller ORDER BY bid_ms ROWS 9 PRECEDING)""",
    7: """
        WITH highest AS (
          SELECT MAX(price) AS price, ms / 10000 * 10000 + 10000 AS ended FROM bid GROUP BY 2)
        SELECT auction, bidder, b.price, dateTime, extra FROM bid AS b JOIN highest AS h
          ON b.price = h.price AND ms BETWEEN ended - 10000 AND ended
        WHERE ended <= :until""",
    8: """
        SELECT DISTINCT p.id, name, shown(p.ms / 10000 * 10000) FROM person AS p JOIN auction AS a
          ON p.id = seller AND p.ms / 10000 = a.ms / 10000
        WHERE p.ms / 10000 * 10000 + 10000 <= :until""",
    9: f"""
        SELECT id, itemName, description, initialBid, reserve, dateTime, expires, seller, category,
          extra, auction, bidder, price, bid_dateTime, bid_extra
        FROM (
          SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY price DESC, bid_ms) AS place
          FROM ({_OFFERS}))
        WHERE place = 1""",
    10: """
        SELECT auction, bidder, price, dateTime, extra,
          strftime('%Y-%m-%d', dateTime), strftime('%H:%M', dateTime)
        FROM bid""",
    11: """
        WITH begun AS (
          SELECT bidder, ms, ms - LAG(ms) OVER (PARTITION BY bidder ORDER BY ms) AS gap FROM bid),
        numbered AS (
          SELECT bidder, ms, COUNT(*) FILTER (WHERE gap > 10000)
            OVER (PARTITION BY bidder ORDER BY ms) AS session
          FROM begun)
        SELECT bidder, COUNT(*), shown(MIN(ms)), shown(MAX(ms) + 10000) FROM numbered
        GROUP BY bidder, session HAVING MAX(ms) + 10000 <= :until""",
    12: "SELECT bidder, COUNT(*) FROM bid GROUP BY bidder",
    13: """
        SELECT auction, bidder, price, dateTime, value
        FROM bid JOIN side_input ON auction % 10000 = key""",
    14: """
        SELECT auction, bidder, euros(price),
          CASE WHEN hour BETWEEN 8 AND 18 THEN 'dayTime'
               WHEN hour IN (7, 19) THEN 'otherTime' ELSE 'nightTime' END,
          dateTime, extra, LENGTH(extra) - LENGTH(REPLACE(extra, 'c', ''))
        FROM (SELECT *, CAST(strftime('%H', dateTime) AS INTEGER) AS hour FROM bid)
        WHERE price * 908 > 1000000000 AND price * 908 < 50000000000""",
    15: f"SELECT DATE(dateTime), {_BIDS}, {_DISTINCT} FROM bid GROUP BY DATE(dateTime)",
    16: f"""
        SELECT channel, DATE(dateTime), MAX(strftime('%H:%M', dateTime)), {_BIDS}, {_DISTINCT}
        FROM bid GROUP BY channel, DATE(dateTime)""",
    17: f"""
        SELECT auction, DATE(dateTime), {_BIDS}, MIN(price), MAX(price), SUM(price) / COUNT(*),
          SUM(price)
        FROM bid GROUP BY auction, DATE(dateTime)""",
    18: """
        SELECT auction, bidder, price, channel, url, dateTime, extra
        FROM (
          SELECT *, ROW_NUMBER() OVER (PARTITION BY bidder, auction ORDER BY ms DESC, nr DESC)
            AS place
          FROM bid)
        WHERE place = 1""",
    19: """
        SELECT auction, bidder, price, channel, url, dateTime, extra, place
        FROM (
          SELECT *, ROW_NUMBER() OVER (PARTITION BY auction ORDER BY price DESC, nr) AS place
          FROM bid)
        WHERE place <= 10""",
    20: """
        SELECT auction, bidder, price, channel, url, b.dateTime, b.extra, itemName, description,
          initialBid, reserve, a.dateTime, expires, seller, category, a.extra
        FROM bid AS b JOIN auction AS a ON auction = id WHERE category = 10""",
    21: f"""
        SELECT auction, bidder, price, channel, {_CHANNELS} AS channel_id FROM bid
        WHERE channel_id IS NOT NULL""",
    22: """
        SELECT auction, bidder, price, channel, part(url, 3), part(url, 4), part(url, 5)
        FROM bid""",
    23: """
        SELECT bidder, price, channel, url, b.extra, p.id, name, emailAddress, creditCard, city,
          state, p.extra, itemName, description, initialBid, reserve, a.dateTime, expires, seller,
          category, a.extra
        FROM bid AS b JOIN person AS p ON p.id = bidder JOIN auction AS a ON seller = bidder""",
}


class Events:
    """The events of a folder in SQLite."""

    def __init__(self, folder: Path) -> None:
        self.database = sqlite3.connect(":memory:")
        for name, arguments, function in (
            ("shown", 1, _shown),
            ("euros", 1, lambda price: number(Decimal("0.908") * price)),
            ("part", 2, lambda url, index: url.split("/")[index]),
            ("channel_id", 1, _channel_id),
        ):
            self.database.create_function(name, arguments, function)
        for name in ("person", "auction", "bid"):
            self._load(folder, name)
        self.database.execute("CREATE TABLE side_input (key INTEGER, value TEXT)")
        with (folder / "side_input.csv").open() as lines:
            rows = list(csv.reader(lines))
        self.database.executemany("INSERT INTO side_input VALUES (?, ?)", rows)

    def answer(self, number: int, *, until: int) -> Counter[Row]:
        """The rows of a query, windows up to a time only."""
        found = self.database.execute(ANSWERS[number], {"until": until})
        return Counter(found.fetchall())

    def _load(self, folder: Path, name: str) -> None:
        lines = (folder / f"{name}.jsonl").read_text().splitlines()
        events = [json.loads(line) for line in lines]
        for nr, event in enumerate(events):
            event |= {"ms": to_ms(event["dateTime"]), "nr": nr}
            if "expires" in event:
                event["expires_ms"] = to_ms(event["expires"])
        columns = list(events[0])
        places = ", ".join("?" * len(columns))
        self.database.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
        rows = [tuple(event.values()) for event in events]
        self.database.executemany(f"INSERT INTO {name} VALUES ({places})", rows)


def number(value: Decimal) -> str | int:
    """A number as JSON has it: without zeros that mean nothing."""
    return int(value) if value == int(value) else str(value.normalize())


def to_ms(time: str) -> int:
    return (datetime.fromisoformat(time) - _EPOCH) // timedelta(milliseconds=1)


def _shown(ms: int) -> str:
    return (_EPOCH + timedelta(milliseconds=ms)).isoformat(sep=" ", timespec="milliseconds")


def _channel_id(url: str) -> str | None:
    found = re.search(r"[&?]channel_id=([^&]*)", url)
    return found[1] if found else None
