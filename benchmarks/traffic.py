"""A steady stream of messages, each with the time it was sent, until this process is ended.

    python -m benchmarks.traffic ADDRESS TOPIC PER_SECOND

Times are of the machine's monotonic clock, in microseconds: comparable between its processes.
"""

from __future__ import annotations

import json
import sys
import time

from confluent_kafka import Producer

_NOTE = "a message of the latency benchmark"


def now_us() -> int:
    """This moment."""
    return time.monotonic_ns() // 1000


def main(address: str, topic: str, per_second: str) -> None:
    producer = Producer({"bootstrap.servers": address, "linger.ms": 0, "acks": 1})
    began, number = time.monotonic(), 0
    while True:
        time.sleep(max(began + number / float(per_second) - time.monotonic(), 0))
        message = {"id": number, "sent": now_us(), "note": _NOTE}
        producer.produce(topic, json.dumps(message))
        producer.poll(0)
        number += 1


if __name__ == "__main__":
    main(*sys.argv[1:])
