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
  bidder INT, w_start TIMESTAMP(3), w_end TIMESTAMP(3), w_time TIMESTAMP(3), n BIGINT
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'sessions',
  'format' = 'json'
);
INSERT INTO sessions
SELECT bidder, SESSION_START(ts, INTERVAL '5' SECOND), SESSION_END(ts, INTERVAL '5' SECOND),
  SESSION_ROWTIME(ts, INTERVAL '5' SECOND), COUNT(*)
FROM bids
GROUP BY SESSION(ts, INTERVAL '5' SECOND), bidder;
