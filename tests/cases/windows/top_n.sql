-- The best items of each window, and the last bid of each bidder in it.
CREATE TABLE bids (
  item STRING, bidder INT, price INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka', 'topic' = 'bids', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE best (item STRING, total INT, place BIGINT, w_end TIMESTAMP(3)) WITH (
  'connector' = 'kafka', 'topic' = 'best', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE TABLE last_bids (bidder INT, item STRING, w_end TIMESTAMP(3)) WITH (
  'connector' = 'kafka', 'topic' = 'last_bids', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE TABLE best_at_once WITH ('topic' = 'best_at_once') LIKE best;
INSERT INTO best
SELECT item, total, place, window_end FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY total DESC) AS place
  FROM (
    SELECT item, SUM(price) AS total, window_start, window_end
    FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '10' SECOND))
    GROUP BY item, window_start, window_end
  )
) WHERE place <= 2;
INSERT INTO last_bids
SELECT bidder, item, window_end FROM (
  SELECT *, ROW_NUMBER() OVER (
    PARTITION BY window_start, window_end, bidder ORDER BY ts DESC) AS place
  FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '10' SECOND))
) WHERE place = 1;
INSERT INTO best_at_once
SELECT item, total, place, window_end FROM (
  SELECT item, SUM(price) AS total, window_start, window_end,
    ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY SUM(price) DESC) AS place
  FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '10' SECOND))
  GROUP BY item, window_start, window_end
) WHERE place <= 2;
