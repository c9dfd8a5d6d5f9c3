-- Aggregates that Spark has not for windows of a stream.
CREATE TABLE bids (
  item STRING, price INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'kafka', 'topic' = 'bids', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE sums (item STRING, w_end TIMESTAMP(3), total INT, n BIGINT) WITH (
  'connector' = 'kafka', 'topic' = 'sums', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
INSERT INTO sums
SELECT item, window_end, SUM(DISTINCT price), COUNT(DISTINCT price)
FROM TABLE(CUMULATE(TABLE bids, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))
GROUP BY item, window_start, window_end;
