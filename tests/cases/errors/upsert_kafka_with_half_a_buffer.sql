-- fail: CONFLICTING_OPTIONS 7:3
-- says: must be set to be greater than zero together to enable sink buffer flushing.
CREATE TABLE t (id BIGINT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json',
  'value.format' = 'json',
  'sink.buffer-flush.interval' = '1 s'
);
