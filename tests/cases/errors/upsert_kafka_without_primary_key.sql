-- fail: CONFLICTING_OPTIONS 3:14
-- says: 'upsert-kafka' tables require to define a PRIMARY KEY constraint. | which keys.
CREATE TABLE t (id BIGINT, name STRING) WITH (
  'connector' = 'upsert-kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json',
  'value.format' = 'json'
);
