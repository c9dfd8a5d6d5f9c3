"""Written through an `upsert-kafka` table and read back, whole or up to a bound, in each format."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.upsert_kafka.upserts import Upserts

pytestmark = pytest.mark.kafka

PARTIAL = (
    "k_user_id BIGINT, name STRING, `timestamp` TIMESTAMP(3) METADATA, k_event_id BIGINT, "
    "user_id INT, payload STRING, PRIMARY KEY (k_event_id, k_user_id) NOT ENFORCED"
)
FULL = (
    "user_id BIGINT, name STRING, `timestamp` TIMESTAMP(3) METADATA, event_id BIGINT, "
    "payload STRING, PRIMARY KEY (event_id, user_id) NOT ENFORCED"
)
DAYS = (
    "user_id INT, payload STRING, `timestamp` TIMESTAMP_LTZ(3) METADATA, "
    "PRIMARY KEY (user_id) NOT ENFORCED"
)
EXCEPT_KEY = {"key__fields_prefix": "k_", "value__fields_include": "EXCEPT_KEY"}
# 2023-03-10 14:00 UTC.
BOUND_MS = "1678456800000"
WRITTEN = """
INSERT INTO partial SELECT a, n, CAST(t AS TIMESTAMP(3)), e, u, p FROM (VALUES
  (1, 'name 1', '2020-03-08 13:12:11.123', 100, 41, 'payload 1'),
  (2, 'name 2', '2020-03-09 13:12:11.123', 101, 42, 'payload 2'),
  (3, 'name 3', '2020-03-10 13:12:11.123', 102, 43, 'payload 3'),
  (2, 'name 2', '2020-03-11 13:12:11.123', 101, 42, 'payload')) AS v (a, n, t, e, u, p);
INSERT INTO buffered SELECT a, n, CAST(t AS TIMESTAMP(3)), e, u, p FROM (VALUES
  (1, 'name 1', '2020-03-08 13:12:11.123', 100, 41, 'payload 1'),
  (2, 'name 2', '2020-03-09 13:12:11.123', 101, 42, 'payload 2'),
  (3, 'name 3', '2020-03-10 13:12:11.123', 102, 43, 'payload 3'),
  (3, 'name 3', '2020-03-11 13:12:11.120', 102, 43, 'payload')) AS v (a, n, t, e, u, p);
INSERT INTO everything SELECT a, n, CAST(t AS TIMESTAMP(3)), e, p FROM (VALUES
  (1, 'name 1', '2020-03-08 13:12:11.123', 100, 'payload 1'),
  (2, 'name 2', '2020-03-09 13:12:11.123', 101, 'payload 2'),
  (3, 'name 3', '2020-03-10 13:12:11.123', 102, 'payload 3'),
  (1, 'name 1', '2020-03-11 13:12:11.123', 100, 'payload')) AS v (a, n, t, e, p);
INSERT INTO days SELECT u, p, CAST(t AS TIMESTAMP_LTZ(3)) FROM (VALUES
  (1, 'payload 1', '2023-03-08 08:10:10.666'),
  (2, 'payload 2', '2023-03-09 13:12:11.123'),
  (1, 'payload 1-new', '2023-03-10 12:09:50.321'),
  (2, 'payload 2-new', '2023-03-11 17:15:13.457')) AS v (u, p, t);
"""
READ = """
INSERT INTO copies SELECT 'partial ' || CAST(k_event_id AS STRING), k_user_id,
  name || ' ' || payload || ' ' || CAST(user_id AS STRING), CAST(`timestamp` AS STRING)
  FROM partial /*+ OPTIONS('scan.bounded.mode' = 'latest-offset') */;
INSERT INTO copies SELECT 'buffered ' || CAST(k_event_id AS STRING), k_user_id,
  name || ' ' || payload || ' ' || CAST(user_id AS STRING), CAST(`timestamp` AS STRING)
  FROM buffered /*+ OPTIONS('scan.bounded.mode' = 'latest-offset') */;
INSERT INTO copies SELECT 'everything ' || CAST(event_id AS STRING), user_id,
  name || ' ' || payload, CAST(`timestamp` AS STRING)
  FROM everything /*+ OPTIONS('scan.bounded.mode' = 'latest-offset') */;
INSERT INTO copies SELECT 'offsets', user_id, payload, CAST(`timestamp` AS STRING)
  FROM days /*+ OPTIONS('scan.bounded.mode' = 'specific-offsets',
    'scan.bounded.specific-offsets' = 'partition:0,offset:2') */;
INSERT INTO copies SELECT 'time', user_id, payload, CAST(`timestamp` AS STRING)
  FROM days /*+ OPTIONS('scan.bounded.mode' = 'timestamp',
    'scan.bounded.timestamp-millis' = '%s') */;
INSERT INTO copies SELECT 'nothing', user_id, payload, CAST(`timestamp` AS STRING)
  FROM days /*+ OPTIONS('scan.bounded.mode' = 'timestamp',
    'scan.bounded.timestamp-millis' = '0') */;
"""
EXPECTED = {
    ("partial 100", 1): ("name 1 payload 1 41", "2020-03-08 13:12:11.123"),
    ("partial 101", 2): ("name 2 payload 42", "2020-03-11 13:12:11.123"),
    ("partial 102", 3): ("name 3 payload 3 43", "2020-03-10 13:12:11.123"),
    ("buffered 100", 1): ("name 1 payload 1 41", "2020-03-08 13:12:11.123"),
    ("buffered 101", 2): ("name 2 payload 2 42", "2020-03-09 13:12:11.123"),
    ("buffered 102", 3): ("name 3 payload 43", "2020-03-11 13:12:11.120"),
    ("everything 100", 1): ("name 1 payload", "2020-03-11 13:12:11.123"),
    ("everything 101", 2): ("name 2 payload 2", "2020-03-09 13:12:11.123"),
    ("everything 102", 3): ("name 3 payload 3", "2020-03-10 13:12:11.123"),
    ("offsets", 1): ("payload 1", "2023-03-08 08:10:10.666"),
    ("offsets", 2): ("payload 2", "2023-03-09 13:12:11.123"),
    ("time", 1): ("payload 1-new", "2023-03-10 12:09:50.321"),
    ("time", 2): ("payload 2", "2023-03-09 13:12:11.123"),
}


@pytest.mark.parametrize("format_", ["json", "csv", "avro"])
def test_tables_come_back(upserts: Upserts, topic: Callable[..., str], format_: str) -> None:
    formats = {"key__format": format_, "value__format": format_}
    buffered, copies = topic("buffered"), topic("copies")
    upserts.create("partial", PARTIAL, topic("partial"), **formats, **EXCEPT_KEY)
    upserts.create(
        "buffered",
        PARTIAL,
        buffered,
        **formats,
        **EXCEPT_KEY,
        sink__buffer_flush__max_rows="2",
        sink__buffer_flush__interval="100000",
    )
    upserts.create(
        "everything", FULL, topic("everything", partitions=4), **formats, sink__parallelism="4"
    )
    upserts.create("days", DAYS, topic("days"), **formats)
    upserts.create(
        "copies",
        "what STRING, id BIGINT, found STRING, at STRING, PRIMARY KEY (what, id) NOT ENFORCED",
        copies,
    )
    utc = {"table__local_time_zone": "UTC"}
    upserts.run(WRITTEN, **utc)
    # Two rows of a key, of which the last is sent.
    assert len(upserts.records(buffered)) == 3
    upserts.run(READ % BOUND_MS, **utc)
    found = {key: (row["found"], row["at"]) for key, row in upserts.table(copies).items()}
    assert found == EXPECTED
