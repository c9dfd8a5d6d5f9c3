CREATE TABLE bids (
  item STRING, bidder INT, price INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'bids',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE counts (
  w_end TIMESTAMP(3), item STRING, bidders BIGINT, dear BIGINT, is_all BIGINT
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'counts',
  'format' = 'json'
);
INSERT INTO counts
SELECT window_end, item, COUNT(DISTINCT bidder), COUNT(*) FILTER (WHERE price > 4), GROUPING(item)
FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '10' SECOND))
GROUP BY window_start, window_end, GROUPING SETS ((item), ());
