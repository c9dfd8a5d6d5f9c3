-- dialect: clickhouse
-- Two rows share a message, whose key is that of the last of them.
CREATE TABLE queue (id UInt32, name String)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'people', kafka_group_name = 'pairs',
  kafka_format = 'JSONEachRow';

CREATE TABLE pairs (_key String, name String)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'pairs', kafka_group_name = 'pairs',
  kafka_format = 'CSV', kafka_map_virtual_columns_on_write = 1, kafka_max_rows_per_message = 2;

CREATE MATERIALIZED VIEW pairs_view TO pairs AS SELECT toString(id) AS _key, name FROM queue;
