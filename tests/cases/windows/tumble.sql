CREATE TABLE events (
  user_id BIGINT,
  behavior STRING,
  price INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '2' SECOND
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'events',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE counts (
  w_start TIMESTAMP(3), w_end TIMESTAMP(3), behavior STRING, n BIGINT, total INT, mean INT, dearest INT
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'counts',
  'format' = 'json'
);
INSERT INTO counts
SELECT window_start, window_end, behavior, COUNT(*), SUM(price), AVG(price), MAX(price)
FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '10' SECOND))
GROUP BY window_start, window_end, behavior;
