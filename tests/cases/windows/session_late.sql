-- Rows behind the watermark count as long as the session that they belong to is open.
CREATE TABLE bids (
  item STRING, bidder INT, price INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'bids',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE sessions (
  bidder INT, w_start TIMESTAMP(3), w_end TIMESTAMP(3), n BIGINT
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'sessions',
  'format' = 'json'
);
INSERT INTO sessions
SELECT bidder, window_start, window_end, COUNT(*)
FROM TABLE(SESSION(TABLE bids PARTITION BY bidder, DESCRIPTOR(ts), INTERVAL '6' SECOND))
GROUP BY bidder, window_start, window_end;
