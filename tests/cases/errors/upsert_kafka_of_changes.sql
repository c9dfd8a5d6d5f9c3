-- fail: CONFLICTING_OPTIONS 6:3
-- says: doesn't support 'debezium-json' as value format, because 'debezium-json' is not in insert-only mode.
CREATE TABLE t (id BIGINT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json',
  'value.format' = 'debezium-json'
);
