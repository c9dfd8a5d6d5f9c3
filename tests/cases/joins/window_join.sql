CREATE TABLE clicks (
  u INT, page STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'clicks',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE views (
  u INT, shown STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'views',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE pairs (
  u INT, page STRING, shown STRING, w_end TIMESTAMP(3)
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'pairs',
  'format' = 'json'
);
INSERT INTO pairs
SELECT c.u, c.page, v.shown, c.window_end
FROM (SELECT * FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '10' SECOND))) c
LEFT JOIN (SELECT * FROM TABLE(TUMBLE(TABLE views, DESCRIPTOR(ts), INTERVAL '10' SECOND))) v
USING (u, window_start, window_end);
