-- fail: UNKNOWN_METADATA 21:3
-- says: Invalid metadata key 'timestamps' | topic, partition, headers
CREATE TABLE source (
  id BIGINT,
  name STRING,
  ts TIMESTAMP(3)
) WITH (
  'connector' = 'kafka',
  'topic' = 'source',
  'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE sink (id BIGINT, name STRING) WITH (
  'connector' = 'kafka',
  'topic' = 'sink',
  'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE TABLE other (
  ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamps'
) WITH ('connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json');
INSERT INTO sink (id) SELECT CAST(1 AS BIGINT) FROM other;
