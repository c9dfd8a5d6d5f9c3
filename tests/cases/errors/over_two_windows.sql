-- fail: INVALID_QUERY
-- says: All aggregates must be computed on the same window.
CREATE TABLE orders (k STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH (
  'connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE sink (k STRING, a INT, b INT) WITH ('connector' = 'print');
INSERT INTO sink
SELECT k, SUM(amount) OVER (PARTITION BY k ORDER BY ts),
  SUM(amount) OVER (PARTITION BY k ORDER BY ts ROWS BETWEEN 3 PRECEDING AND CURRENT ROW)
FROM orders;
