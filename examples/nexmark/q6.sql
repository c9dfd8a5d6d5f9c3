-- Nexmark 6, prices of a seller: the average of the highest bids of the last ten auctions.
-- Rows of an OVER must not change, but a highest bid may be outbid: over streams neither Flink nor
-- Penstock runs this. Over topics that are bounded it runs.
CREATE TABLE auction (
  id          BIGINT,
  itemName    STRING,
  description STRING,
  initialBid  BIGINT,
  reserve     BIGINT,
  `dateTime`  TIMESTAMP(3),
  expires     TIMESTAMP(3),
  seller      BIGINT,
  category    BIGINT,
  extra       STRING,
  WATERMARK FOR `dateTime` AS `dateTime` - INTERVAL '4' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'nexmark_auction',
  'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);

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

CREATE TABLE nexmark_q6 (
  seller    BIGINT,
  avg_price BIGINT
) WITH (
  'connector' = 'kafka',
  'topic' = 'nexmark_q6',
  'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);

INSERT INTO nexmark_q6
SELECT seller, AVG(price) OVER (
  PARTITION BY seller ORDER BY `dateTime` ROWS BETWEEN 9 PRECEDING AND CURRENT ROW
)
FROM (
  SELECT a.id, a.seller, b.price, b.`dateTime`,
    ROW_NUMBER() OVER (PARTITION BY a.id, a.seller ORDER BY b.price DESC) AS place
  FROM auction AS a
  JOIN bid AS b ON a.id = b.auction
  WHERE b.`dateTime` BETWEEN a.`dateTime` AND a.expires
)
WHERE place <= 1;
