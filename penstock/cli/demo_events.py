"""A stream of shop events for the demo: who did what with which item, mostly in order."""

from __future__ import annotations

import json
import random
import threading
import time
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from penstock.kafka.record import Record
from penstock.kafka.sender import Sender

if TYPE_CHECKING:
    from collections.abc import Iterator

CATEGORIES = {
    "books": (4, 40),
    "coffee": (3, 25),
    "games": (10, 70),
    "garden": (5, 120),
    "music": (8, 60),
    "shoes": (25, 180),
}
_BEHAVIORS = ("view", "view", "view", "view", "view", "cart", "cart", "favorite", "buy")
_EVENTS_PER_S = 2_000
_TICK_S = 0.05
_USERS, _ITEMS = 5_000, 20_000
_MAX_DELAY_S = 1.5


class EventStream:
    """Writes events to a topic from a thread until it is stopped."""

    def __init__(self, properties: dict[str, str], topic: str) -> None:
        self._sender = Sender(properties, topic)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="demo-events", daemon=True)
        self.sent = 0

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, with everything delivered."""
        if not self._stopped.is_set():
            self._stopped.set()
            self._thread.join()

    def _run(self) -> None:
        began = time.monotonic()
        events = _events(random.Random(7))  # noqa: S311 — a demo, not a secret
        while not self._stopped.wait(_TICK_S):
            due = int((time.monotonic() - began) * _EVENTS_PER_S) - self.sent
            for _ in range(due):
                self._sender.send(next(events))
            self.sent += due
        self._sender.flush()


def _events(chance: random.Random) -> Iterator[Record]:
    names = tuple(CATEGORIES)
    while True:
        category = chance.choices(names, weights=range(len(names), 0, -1))[0]
        low, high = CATEGORIES[category]
        late = chance.random() ** 4 * _MAX_DELAY_S
        moment = datetime.now(timezone.utc) - timedelta(seconds=late)
        user = chance.randrange(_USERS)
        event = {
            "user_id": user,
            "item_id": chance.randrange(_ITEMS),
            "category": category,
            "behavior": chance.choice(_BEHAVIORS),
            "price": round(chance.uniform(low, high), 2),
            "ts": moment.strftime("%Y-%m-%d %H:%M:%S.%f")[:-3],
        }
        yield Record(json.dumps(event).encode(), key=str(user).encode())
