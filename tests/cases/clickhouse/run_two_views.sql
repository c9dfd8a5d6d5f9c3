-- dialect: clickhouse
-- partitions: 2
-- Two views of one Kafka table each get every message. A message has any number of rows: none if it
-- is empty or a tombstone.
CREATE TABLE queue (id UInt64, level Enum8('info' = 1, 'error' = 2), message String, at DateTime('UTC'))
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'logs', kafka_group_name = 'views',
  kafka_format = 'JSONEachRow';

CREATE TABLE errors (id UInt64, message String, day Date, note Nullable(String))
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'errors', kafka_group_name = 'views',
  kafka_format = 'JSONEachRow';

CREATE TABLE copies (id UInt64, level String)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'copies', kafka_group_name = 'views',
  kafka_format = 'TSV';

CREATE MATERIALIZED VIEW errors_view TO errors AS
SELECT id, upper(message) AS message, toDate(at) AS day FROM queue WHERE level = 'error';

CREATE MATERIALIZED VIEW copies_view TO copies AS SELECT id, level FROM queue;
