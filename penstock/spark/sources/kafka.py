"""Kafka topics → raw records: key, value, topic, partition, offset, timestamp, headers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from penstock.model.types import literal

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from penstock.connectors.kafka_specs import KafkaSource
    from penstock.spark.sources.opening import Opening, PartitionOffsets

MAX_OFFSETS_SETTING = "penstock.max-offsets-per-batch"
_SCHEMA = (
    "key BINARY, value BINARY, topic STRING, partition INT, offset BIGINT, timestamp TIMESTAMP, "
    "timestampType INT, headers ARRAY<STRUCT<key: STRING, value: BINARY>>"
)


def kafka(opening: Opening, source: KafkaSource) -> DataFrame:
    """The messages of the topics; a bounded stream lets nothing through behind its end."""
    if opening.batch:
        return _all_at_once(opening, source)
    options = {**_client_options(source), **opening.offsets.start(source)}
    if source.pattern:
        options["subscribePattern"] = source.pattern
    else:
        options["subscribe"] = ",".join(source.topics)
    if limit := opening.place.settings.get(MAX_OFFSETS_SETTING):
        options["maxOffsetsPerTrigger"] = limit
    records = opening.session.readStream.format("kafka").options(**options).load()
    if source.bound is None:
        return records
    return records.where(F.expr(_before(opening.offsets.range(source).end)))


def _all_at_once(opening: Opening, source: KafkaSource) -> DataFrame:
    offsets = opening.offsets.range(source)
    if not offsets.start:
        return no_records(opening.session)
    options = {
        **_client_options(source),
        "assign": json.dumps({topic: list(parts) for topic, parts in offsets.start.items()}),
        "startingOffsets": json.dumps(offsets.start),
        "endingOffsets": json.dumps(offsets.end),
        # Both ends were looked up: what retention or compaction took since is no error in Flink.
        # Where it is read again and again, though, rows would vanish from under a join.
        "failOnDataLoss": str(opening.static).lower(),
    }
    return opening.session.read.format("kafka").options(**options).load()


def no_records(session: SparkSession) -> DataFrame:
    """A topic without messages."""
    return session.createDataFrame([], _SCHEMA)


def _client_options(source: KafkaSource) -> dict[str, str]:
    options = {f"kafka.{key}": value for key, value in source.properties}
    return {**options, "includeHeaders": "true"} if source.reading.headers else options


def _before(end: PartitionOffsets) -> str:
    """A condition on a record: its offset lies before the end of its partition."""
    ends = [
        f"{literal(f'{topic}/{partition}')}, {offset}L"
        for topic, partitions in end.items()
        for partition, offset in partitions.items()
    ]
    bounds = f"map({', '.join(ends)})" if ends else "CAST(map() AS MAP<STRING, BIGINT>)"
    return f"offset < coalesce(try_element_at({bounds}, concat(topic, '/', partition)), 0L)"
