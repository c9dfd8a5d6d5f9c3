-- fail: INVALID_QUERY 11:13
-- says: 'sink.parallelism' = '4' of table `copies` would part the changes of a row | 'key.fields'
CREATE TABLE t (id INT, name STRING) WITH (
  'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'debezium-json'
);
CREATE TABLE copies (id INT, name STRING) WITH (
  'connector' = 'kafka', 'topic' = 'c', 'properties.bootstrap.servers' = 'x:1',
  'sink.parallelism' = '4', 'format' = 'debezium-json'
);
INSERT INTO copies SELECT id, name FROM t;
