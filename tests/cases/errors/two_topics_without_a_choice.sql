-- fail: INVALID_QUERY 3:14
-- says: The topic of the sink record is not valid. Expected a single topic but no topic is set.
CREATE TABLE t (id BIGINT) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'topic' = 'a;b'
);
INSERT INTO t SELECT 1;
