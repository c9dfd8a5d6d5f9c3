CREATE TABLE bids (
  item STRING, bidder INT, price INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'bids',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE hot (
  item STRING, n BIGINT, w_end TIMESTAMP(3)
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'hot',
  'format' = 'json'
);
INSERT INTO hot
SELECT counted.item, counted.n, counted.w_end
FROM (
  SELECT item, COUNT(*) AS n, window_start AS w_start, window_end AS w_end
  FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '10' SECOND))
  GROUP BY item, window_start, window_end
) AS counted
JOIN (
  SELECT MAX(n) AS most, w_start, w_end
  FROM (
    SELECT item, COUNT(*) AS n, window_start AS w_start, window_end AS w_end
    FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '10' SECOND))
    GROUP BY item, window_start, window_end
  )
  GROUP BY w_start, w_end
) AS best
ON counted.w_start = best.w_start AND counted.w_end = best.w_end AND counted.n >= best.most;
