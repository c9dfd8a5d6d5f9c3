-- fail: INVALID_QUERY
-- says: `ts` has no watermark
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
INSERT INTO sink SELECT COUNT(*), name FROM TABLE(TUMBLE(TABLE source, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, name;
