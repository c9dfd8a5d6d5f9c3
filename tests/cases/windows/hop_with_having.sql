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
CREATE TABLE buys (w_end TIMESTAMP(3), n BIGINT, buys BIGINT) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'buys',
  'format' = 'json'
);
INSERT INTO buys
SELECT window_end, COUNT(*), COUNT(*) FILTER (WHERE behavior = 'buy')
FROM TABLE(HOP(TABLE events, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND)) AS h
WHERE h.user_id < 9
GROUP BY window_start, window_end
HAVING COUNT(*) >= 2;
