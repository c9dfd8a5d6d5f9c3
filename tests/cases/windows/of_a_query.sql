-- A window function takes a query for its table, by place and by name.
CREATE TABLE bids (bidder STRING, price INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH (
  'connector' = 'kafka', 'topic' = 'bids', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE dear (w_end TIMESTAMP(3), bids BIGINT) WITH (
  'connector' = 'kafka', 'topic' = 'dear', 'properties.bootstrap.servers' = 'x:1', 'format' = 'json'
);
CREATE TABLE dearest (w_end TIMESTAMP(3), price INT) WITH (
  'connector' = 'kafka', 'topic' = 'dearest', 'properties.bootstrap.servers' = 'x:1', 'format' = 'json'
);
INSERT INTO dear
SELECT window_end, COUNT(*)
FROM TABLE(TUMBLE((SELECT ts FROM bids WHERE price > 2), DESCRIPTOR(ts), INTERVAL '10' SECOND))
GROUP BY window_start, window_end;
INSERT INTO dearest
SELECT window_end, MAX(price)
FROM TABLE(
  TUMBLE(
    DATA => (SELECT price, ts AS bid_at FROM bids), TIMECOL => DESCRIPTOR(bid_at),
    SIZE => INTERVAL '10' SECOND
  )
)
GROUP BY window_start, window_end;
