-- dialect: clickhouse
-- partitions: 2
-- A message that cannot be read is one row of defaults, with the message and the error; none of the
-- rows before the broken one are kept.
CREATE TABLE queue (id Int64, tags Array(String), note Nullable(String), state Enum8('new' = 1, 'old' = 2))
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'mixed', kafka_group_name = 'rows',
  kafka_format = 'JSONEachRow', kafka_handle_error_mode = 'stream';

CREATE TABLE good (id Int64, raw String, error String)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'good', kafka_group_name = 'rows',
  kafka_format = 'JSONEachRow';

CREATE TABLE bad (id Int64, tags Array(String), note Nullable(String), state String, raw String, told UInt8)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'bad', kafka_group_name = 'rows',
  kafka_format = 'JSONEachRow';

CREATE MATERIALIZED VIEW good_view TO good AS
SELECT id, _raw_message AS raw, _error AS error FROM queue WHERE length(_error) = 0;

CREATE MATERIALIZED VIEW bad_view TO bad AS
SELECT id, tags, note, state, _raw_message AS raw, _error LIKE '%Cannot%' AS told FROM queue
WHERE length(_error) > 0;
