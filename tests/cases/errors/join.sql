-- fail: UNSUPPORTED_QUERY
-- says: A join
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
INSERT INTO sink SELECT a.id, b.name FROM source a JOIN source b ON a.id = b.id;
