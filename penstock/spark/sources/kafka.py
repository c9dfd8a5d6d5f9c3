"""Kafka topics → raw records: key, value, topic, partition, offset, timestamp, headers, epoch."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from penstock.model.option import duration_ms
from penstock.model.types import literal
from penstock.plan.settings import FLUSH_INTERVAL, MAX_OFFSETS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from penstock.connectors.kafka_specs import KafkaSource
    from penstock.spark.sources.opening import Opening, PartitionOffsets

DATA_LOSS_SETTING = "penstock.on-data-loss"
IDLE_SETTING = "table.exec.source.idle-timeout"

# Spark asks for the ends of the log with every poll: of Kafka's 500 that is a quarter of the time.
_RECORDS_PER_POLL = "5000"
# What ClickHouse calls a whole block.
_BLOCK = 1_048_449
# Spark's own Kafka source with a reader of ours.
_PROVIDER = "penstock.kafka.source.TopicProvider"
_SCHEMA = (
    "key BINARY, value BINARY, topic STRING, partition INT, offset BIGINT, timestamp TIMESTAMP, "
    "timestampType INT, headers ARRAY<STRUCT<key: STRING, value: BINARY>>, leaderEpoch INT"
)


def kafka(opening: Opening, source: KafkaSource) -> DataFrame:
    """The messages of the topics; a bounded stream lets nothing through behind its end."""
    if opening.batch:
        return _all_at_once(opening, source)
    options = {
        **_client_options(source),
        **_reading_options(opening, source),
        **opening.offsets.start(source),
        **_subscription(opening, source),
        "failOnDataLoss": str(not _keeps_going(opening, source)).lower(),
    }
    options |= _batch_options(opening, source)
    if source.bound is None:
        return _load(opening, options | _watermark_options(opening, source))
    end = opening.offsets.range(source).end
    options |= _watermark_options(opening, source) | {"penstock.ends": json.dumps(end)}
    return _load(opening, options).where(F.expr(_before(end)))


def _batch_options(opening: Opening, source: KafkaSource) -> dict[str, str]:
    """How large a batch is, and how long it waits until it is so large."""
    settings = opening.place.settings
    most = source.reading.max_offsets_per_batch or settings.get(MAX_OFFSETS)
    options = {"maxOffsetsPerTrigger": str(most)} if most else {}
    flush_ms = source.reading.flush_ms or int(settings.get(FLUSH_INTERVAL, 0))
    if flush_ms:
        options |= {"minOffsetsPerTrigger": str(most or _BLOCK), "maxTriggerDelay": f"{flush_ms}ms"}
    return options


def _all_at_once(opening: Opening, source: KafkaSource) -> DataFrame:
    offsets = opening.offsets.range(source)
    if not offsets.start:
        return no_records(opening.session)
    options = {
        **_client_options(source),
        **_reading_options(opening, source),
        "assign": json.dumps({topic: list(parts) for topic, parts in offsets.start.items()}),
        "startingOffsets": json.dumps(offsets.start),
        "endingOffsets": json.dumps(offsets.end),
        # Both ends were looked up: what retention or compaction took since is no error in Flink.
        # Where it is read again and again, though, rows would vanish from under a join.
        "failOnDataLoss": str(bool(opening.static)).lower(),
    }
    return _load(opening, options)


def no_records(session: SparkSession) -> DataFrame:
    """A topic without messages."""
    return session.createDataFrame([], _SCHEMA)


def _load(opening: Opening, options: dict[str, str]) -> DataFrame:
    return opening.reader(_PROVIDER).options(**options).load()


def _subscription(opening: Opening, source: KafkaSource) -> dict[str, str]:
    """Without discovery the partitions of the first run, else whatever each batch finds."""
    if source.reading.discovery_ms <= 0:
        return {"assign": json.dumps(dict(opening.offsets.first_partitions(source)))}
    if source.pattern:
        return {"subscribePattern": source.pattern}
    return {"subscribe": ",".join(source.topics)}


def _client_options(source: KafkaSource) -> dict[str, str]:
    named = {"client.id": source.reading.client_id} if source.reading.client_id else {}
    properties = {"max.poll.records": _RECORDS_PER_POLL, **named, **dict(source.properties)}
    return {f"kafka.{key}": value for key, value in properties.items()}


def _reading_options(opening: Opening, source: KafkaSource) -> dict[str, str]:
    options = {
        "penstock.traffic": opening.place.traffic(opening.table),
        "penstock.table": opening.table,
    }
    if topic := source.reading.failures.topic:
        job, _, query = opening.place.name.rpartition("/")
        options |= {
            "penstock.letters.topic": topic,
            "penstock.letters.job": job,
            "penstock.letters.query": query,
        }
    if most := source.reading.failures.most_per_batch:
        options["penstock.mostLeftOut"] = str(most)
    if source.reading.headers:
        options["includeHeaders"] = "true"
    if source.reading.leader_epoch:
        options["penstock.leaderEpoch"] = "true"
    if tasks := source.reading.consumers or source.reading.parallelism:
        options["penstock.parallelism"] = str(tasks)
    return options


def _watermark_options(opening: Opening, source: KafkaSource) -> dict[str, str]:
    if not opening.watermark:
        return {}
    idle_ms = source.reading.idle_timeout_ms
    if idle_ms is None:
        idle_ms = duration_ms(opening.place.settings.get(IDLE_SETTING, "0"))
    return {
        "penstock.query": opening.place.key,
        "penstock.scan": opening.watermark,
        "penstock.idleTimeoutMs": str(idle_ms),
    }


def _keeps_going(opening: Opening, source: KafkaSource) -> bool:
    if source.reading.keep_going is not None:
        return source.reading.keep_going
    return opening.place.settings.get(DATA_LOSS_SETTING) == "continue"


def _before(end: PartitionOffsets) -> str:
    """A condition on a record: its offset lies before the end of its partition."""
    ends = [
        f"{literal(f'{topic}/{partition}')}, {offset}L"
        for topic, partitions in end.items()
        for partition, offset in partitions.items()
    ]
    bounds = f"map({', '.join(ends)})" if ends else "CAST(map() AS MAP<STRING, BIGINT>)"
    return f"offset < coalesce(try_element_at({bounds}, concat(topic, '/', partition)), 0L)"
