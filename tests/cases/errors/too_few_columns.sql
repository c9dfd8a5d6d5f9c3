-- fail: INSERT_COLUMN_COUNT 20:13
-- says: gives 1 columns, table `sink` takes 2
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
INSERT INTO sink SELECT id FROM source;
