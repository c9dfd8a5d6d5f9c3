CREATE TABLE prices (
  `computed-price` AS price + 1.0,
  price DECIMAL(38, 18),
  currency STRING,
  log_date DATE,
  log_time TIME(3),
  log_ts TIMESTAMP(3),
  ts AS log_ts + INTERVAL '1' SECOND,
  WATERMARK FOR ts AS ts
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'prices',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE results (
  window_end TIMESTAMP(3), d DATE, t TIME(0), ts TIMESTAMP(3), n BIGINT, price DECIMAL(10, 2)
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'results',
  'format' = 'json'
);
INSERT INTO results
SELECT
  TUMBLE_END(ts, INTERVAL '5' SECOND),
  MAX(log_date),
  MAX(log_time),
  MAX(ts),
  COUNT(*),
  CAST(MAX(price) AS DECIMAL(10, 2))
FROM prices
GROUP BY TUMBLE(ts, INTERVAL '5' SECOND);
