-- Nexmark 7, highest bid: the bids with the highest price of each 10 seconds.
CREATE TABLE bid (
  auction    BIGINT,
  bidder     BIGINT,
  price      BIGINT,
  channel    STRING,
  url        STRING,
  `dateTime` TIMESTAMP(3),
  extra      STRING,
  WATERMARK FOR `dateTime` AS `dateTime` - INTERVAL '4' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'nexmark_bid',
  'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);

CREATE TABLE nexmark_q7 (
  auction    BIGINT,
  bidder     BIGINT,
  price      BIGINT,
  `dateTime` TIMESTAMP(3),
  extra      STRING
) WITH (
  'connector' = 'kafka',
  'topic' = 'nexmark_q7',
  'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);

INSERT INTO nexmark_q7
SELECT b.auction, b.bidder, b.price, b.`dateTime`, b.extra
FROM bid AS b
JOIN (
  SELECT MAX(price) AS price, window_end
  FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(`dateTime`), INTERVAL '10' SECOND))
  GROUP BY window_start, window_end
) AS highest
ON b.price = highest.price
WHERE b.`dateTime` BETWEEN highest.window_end - INTERVAL '10' SECOND AND highest.window_end;
