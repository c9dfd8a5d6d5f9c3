-- fail: INVALID_QUERY 10:13
-- says: currently only possible for INSERT-only table sources. But the source for table 't' produces other changelog
CREATE TABLE t (id BIGINT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json',
  'value.format' = 'json',
  'scan.bounded.mode' = 'latest-offset'
);
SET 'execution.runtime-mode' = 'batch';
INSERT INTO t SELECT * FROM t;
