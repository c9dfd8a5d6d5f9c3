-- fail: CONFLICTING_OPTIONS 8:3
-- says: Currently 'round-robin' partitioner only works when option 'key.fields' is not specified.
CREATE TABLE t (id BIGINT) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'topic' = 't',
  'sink.partitioner' = 'round-robin',
  'key.format' = 'json',
  'key.fields' = 'id'
);
