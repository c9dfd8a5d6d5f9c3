-- fail: REFUSED_OPTION 8:3
-- says: Could not find and instantiate partitioner class 'abc'
CREATE TABLE t (id BIGINT) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'topic' = 't',
  'sink.partitioner' = 'abc'
);
INSERT INTO t SELECT 1;
