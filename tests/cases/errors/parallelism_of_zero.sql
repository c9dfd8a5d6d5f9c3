-- fail: REFUSED_OPTION 8:3
-- says: Invalid configured parallelism 0 for table 't'.
CREATE TABLE t (id BIGINT) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'topic' = 't',
  'sink.parallelism' = '0'
);
