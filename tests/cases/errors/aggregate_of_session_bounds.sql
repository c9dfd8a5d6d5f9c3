-- fail: UNSUPPORTED_QUERY
-- says: An aggregate of the bounds of the session
CREATE TABLE bids (bidder INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH (
  'connector' = 'kafka', 'topic' = 'bids', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE sink (bidder INT, w_end TIMESTAMP(3)) WITH ('connector' = 'print');
INSERT INTO sink
SELECT bidder, MAX(window_end)
FROM TABLE(SESSION(TABLE bids PARTITION BY bidder, DESCRIPTOR(ts), INTERVAL '6' SECOND))
GROUP BY bidder, window_start, window_end;
