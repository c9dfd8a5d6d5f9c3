-- dialect: clickhouse
-- As many rows of a block may be broken; the good ones of their messages stay.
CREATE TABLE queue (id Int64)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'mixed', kafka_group_name = 'skipped',
  kafka_format = 'JSONEachRow', kafka_skip_broken_messages = 2;

CREATE TABLE good (id Int64)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'good', kafka_group_name = 'skipped',
  kafka_format = 'JSONEachRow';

CREATE MATERIALIZED VIEW view TO good AS SELECT id FROM queue;
