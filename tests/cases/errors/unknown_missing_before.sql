-- fail: INVALID_OPTION_VALUE
-- says: fail | upsert
CREATE TABLE t (id INT) WITH (
  'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'debezium-json', 'debezium-json.missing-before' = 'skip'
);
