-- dialect: clickhouse
-- A declared `_key` is the key of the message: also a column of the payload, unless the table says
-- otherwise.
CREATE TABLE queue (id UInt32, name String)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'people', kafka_group_name = 'written',
  kafka_format = 'JSONCompactEachRow';

CREATE TABLE kept (_key String, name String, _timestamp DateTime)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'kept', kafka_group_name = 'written',
  kafka_format = 'JSONEachRow';

CREATE TABLE moved (_key String, name String, _timestamp DateTime)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'moved', kafka_group_name = 'written',
  kafka_format = 'JSONEachRow', kafka_map_virtual_columns_on_write = 1;

CREATE MATERIALIZED VIEW kept_view TO kept AS
SELECT toString(id) AS _key, name, toDateTime(1577836800 + id) AS _timestamp FROM queue;

CREATE MATERIALIZED VIEW moved_view TO moved AS
SELECT toString(id) AS _key, name, toDateTime(1577836800 + id) AS _timestamp FROM queue;
