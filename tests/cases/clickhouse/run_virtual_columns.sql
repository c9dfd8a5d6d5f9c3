-- dialect: clickhouse
-- What a message has beside its columns.
CREATE TABLE queue (n UInt8)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'events', kafka_group_name = 'virtual',
  kafka_format = 'CSV';

CREATE TABLE seen
(
    n UInt8,
    in_topic UInt8,
    key String,
    place Array(UInt64),
    at Nullable(DateTime),
    at_ms Nullable(DateTime64(3)),
    names Array(String),
    values Array(String),
    table String
)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'seen', kafka_group_name = 'virtual',
  kafka_format = 'JSONEachRow';

CREATE MATERIALIZED VIEW view TO seen AS
SELECT n, endsWith(_topic, '_events') AS in_topic, _key AS key, [_partition, _offset] AS place,
  _timestamp AS at, _timestamp_ms AS at_ms, _headers.name AS names, _headers.value AS values,
  _table AS table
FROM queue;
