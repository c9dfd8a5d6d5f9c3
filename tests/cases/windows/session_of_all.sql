-- Sessions of a whole stream, within which rows are grouped by more.
CREATE TABLE bids (
  item STRING, bidder INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'kafka', 'topic' = 'bids', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE sessions (item STRING, w_start TIMESTAMP(3), w_end TIMESTAMP(3), n BIGINT) WITH (
  'connector' = 'kafka', 'topic' = 'sessions', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
INSERT INTO sessions
SELECT item, window_start, window_end, COUNT(*)
FROM TABLE(SESSION(TABLE bids, DESCRIPTOR(ts), INTERVAL '5' SECOND))
WHERE bidder > 0
GROUP BY item, window_start, window_end;
