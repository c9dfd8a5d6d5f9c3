"""Makes up events of an auction house, the same ones for the same seed.

python generate.py FOLDER [--events N] [--rate N] [--seed N] [--start "2026-01-05 07:59:30"]

Writes person.jsonl, auction.jsonl and bid.jsonl, one message a line, and side_input.csv. Of 50
events one is a person, three are auctions and 46 are bids. Event time goes forward with their
number; some events are up to two seconds late. Half of the sales and bids are those of a few people
and auctions that are popular for a while; some name people and auctions that are yet to come.
"""

from __future__ import annotations

import argparse
import json
import random
from datetime import datetime, timedelta
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Event = dict[str, object]

FIRST_ID = 1000
CYCLE = ("person", *["auction"] * 3, *["bid"] * 46)
CATEGORIES = range(10, 15)
STATES = ("AZ", "CA", "ID", "OR", "WA", "WY")
CITIES = ("Phoenix", "Oakland", "Boise", "Bend", "Tacoma", "Cheyenne", "Salem", "Kent")
FIRST_NAMES = ("Ada", "Ben", "Chloe", "Dan", "Ella", "Finn", "Grace", "Hugo", "Iris", "Jack")
LAST_NAMES = ("Archer", "Baker", "Cooper", "Dyer", "Fisher", "Glover", "Mason", "Porter")
KNOWN_CHANNELS = ("Apple", "Google", "Facebook", "Baidu")
OTHER_CHANNELS = 200
# An id is popular until so many others have come.
POPULAR_FOR = 10
# Sellers, bidders and auctions are among the last so many, or among the next few.
ACTIVE, AHEAD = 60, 3
AUCTION_EVENTS = 1200
LATE_SHARE, LATE_MS = 0.1, 2000
SIDE_KEYS = 10_000


class AuctionHouse:
    """What has happened so far, and what happens next."""

    def __init__(self, *, seed: int, rate: float, start: datetime) -> None:
        self.random = random.Random(seed)  # noqa: S311 — nothing here is a secret
        self.rate = rate
        self.start = start
        self.people = 0
        self.auctions = 0
        self.known_urls = {name: self.url() for name in KNOWN_CHANNELS}

    def events(self, count: int) -> Iterator[tuple[str, Event]]:
        """The kind and the message of each event."""
        make = {"person": self.person, "auction": self.auction, "bid": self.bid}
        for number in range(count):
            kind = CYCLE[number % len(CYCLE)]
            yield kind, make[kind](self.time(number))

    def time(self, number: int) -> datetime:
        """When an event happened, which need not be in the order of arrival."""
        ms = number * 1000 / self.rate + self.random.random() * 1000 / self.rate
        if self.random.random() < LATE_SHARE:
            ms -= self.random.random() * LATE_MS
        return self.start + timedelta(milliseconds=max(0, int(ms)))

    def person(self, at: datetime) -> Event:
        """Somebody who joins."""
        first, last = self.random.choice(FIRST_NAMES), self.random.choice(LAST_NAMES)
        self.people += 1
        return {
            "id": FIRST_ID + self.people - 1,
            "name": f"{first} {last}",
            "emailAddress": f"{first}.{last}@{self.letters(5)}.example".lower(),
            "creditCard": " ".join(f"{self.random.randrange(10_000):04}" for _ in range(4)),
            "city": self.random.choice(CITIES),
            "state": self.random.choice(STATES),
            "dateTime": shown(at),
            "extra": self.letters(20),
        }

    def auction(self, at: datetime) -> Event:
        """Something is put up for sale."""
        price = self.price()
        length_ms = 1 + self.random.random() * 2 * AUCTION_EVENTS * 1000 / self.rate
        self.auctions += 1
        return {
            "id": FIRST_ID + self.auctions - 1,
            "itemName": self.letters(10),
            "description": f"{self.letters(6)} {self.letters(8)} {self.letters(4)}",
            "initialBid": price,
            "reserve": price + self.price(),
            "dateTime": shown(at),
            "expires": shown(at + timedelta(milliseconds=int(length_ms))),
            "seller": self.one_of(self.people),
            "category": self.random.choice(CATEGORIES),
            "extra": self.letters(20),
        }

    def bid(self, at: datetime) -> Event:
        """Somebody offers a price, having come by some channel."""
        if self.random.random() < 0.5:
            channel = self.random.choice(KNOWN_CHANNELS)
            url = self.known_urls[channel]
        else:
            number = self.random.randrange(OTHER_CHANNELS)
            channel, url = f"channel-{number}", self.url()
            if self.random.random() < 0.9:
                url += f"&channel_id={number * 7919}"
        return {
            "auction": self.one_of(self.auctions),
            "bidder": self.one_of(self.people, popular=1),
            "price": self.price(),
            "channel": channel,
            "url": url,
            "dateTime": shown(at),
            "extra": self.letters(20),
        }

    def one_of(self, count: int, *, popular: int = 0) -> int:
        """An id of those given out: a popular one, or any that is active or comes soon."""
        if self.random.random() < 0.5:
            chosen = min((count - 1) // POPULAR_FOR * POPULAR_FOR + popular, count - 1)
        else:
            chosen = self.random.randrange(max(0, count - ACTIVE), count + AHEAD)
        return FIRST_ID + chosen

    def price(self) -> int:
        """From a dollar to a million, in cents; each power of ten is as frequent as the others."""
        return round(10 ** (self.random.random() * 6) * 100)

    def url(self) -> str:
        """An address in three folders."""
        folders = "/".join(self.letters(4) for _ in range(3))
        return f"https://www.nexmark.example/{folders}/item.htm?query=1"

    def letters(self, count: int) -> str:
        """A word that means nothing."""
        return "".join(self.random.choices(ascii_lowercase, k=count))


def shown(at: datetime) -> str:
    """A time as Flink's JSON has it, to the millisecond."""
    return at.isoformat(sep=" ", timespec="milliseconds")


def write(folder: Path, house: AuctionHouse, count: int) -> None:
    """The events of each kind in a file of their own, and what q13 looks up."""
    folder.mkdir(parents=True, exist_ok=True)
    kinds = {kind: (folder / f"{kind}.jsonl").open("w") for kind in dict.fromkeys(CYCLE)}
    for kind, event in house.events(count):
        print(json.dumps(event), file=kinds[kind])
    for file in kinds.values():
        file.close()
    # Some auctions have no line.
    sides = [f"{key},lot {key * 31 % 977}" for key in range(SIDE_KEYS) if key % 7]
    (folder / "side_input.csv").write_text("\n".join(sides) + "\n")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--events", type=int, default=5000)
    parser.add_argument("--rate", type=float, default=50, help="events per second of event time")
    parser.add_argument("--seed", type=int, default=1)
    start = datetime(2026, 1, 5, 7, 59, 30)
    parser.add_argument("--start", type=datetime.fromisoformat, default=start)
    given = parser.parse_args()
    house = AuctionHouse(seed=given.seed, rate=given.rate, start=given.start)
    write(given.folder, house, given.events)


if __name__ == "__main__":
    main()
