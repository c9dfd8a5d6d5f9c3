-- fail: NOT_GROUPED
CREATE TABLE source (
  id BIGINT,
  name STRING,
  ts TIMESTAMP(3), WATERMARK FOR ts AS ts
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
INSERT INTO sink SELECT id, 'x' FROM TABLE(TUMBLE(TABLE source, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, name;
