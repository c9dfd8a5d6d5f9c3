-- partitions: 1
CREATE TABLE clicks (
  page STRING,
  ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR ts AS ts
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'clicks',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'csv'
);
CREATE TABLE per_minute (minute_start TIMESTAMP(3), page STRING, clicks BIGINT) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'per_minute',
  'format' = 'csv'
);
INSERT INTO per_minute
SELECT TUMBLE_START(ts, INTERVAL '1' MINUTE), page, COUNT(page)
FROM clicks
GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE), page;
