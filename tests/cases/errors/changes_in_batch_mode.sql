-- fail: INVALID_QUERY 9:13
-- says: Querying a table in batch mode is currently only possible for INSERT-only table sources.
SET 'execution.runtime-mode' = 'batch';
CREATE TABLE t (id INT, name STRING) WITH (
  'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1', 'format' = 'ogg-json',
  'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset'
);
CREATE TABLE shown (id INT, name STRING) WITH ('connector' = 'print');
INSERT INTO shown SELECT id, name FROM t;
