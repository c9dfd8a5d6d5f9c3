-- Nexmark 20, bids with their auction, where its category is 10.
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

CREATE TABLE nexmark_q20 (
  auction          BIGINT,
  bidder           BIGINT,
  price            BIGINT,
  channel          STRING,
  url              STRING,
  bid_dateTime     TIMESTAMP(3),
  bid_extra        STRING,
  itemName         STRING,
  description      STRING,
  initialBid       BIGINT,
  reserve          BIGINT,
  auction_dateTime TIMESTAMP(3),
  expires          TIMESTAMP(3),
  seller           BIGINT,
  category         BIGINT,
  auction_extra    STRING
) WITH (
  'connector' = 'kafka',
  'topic' = 'nexmark_q20',
  'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);

INSERT INTO nexmark_q20
SELECT
  b.auction, b.bidder, b.price, b.channel, b.url, b.`dateTime`, b.extra,
  a.itemName, a.description, a.initialBid, a.reserve, a.`dateTime`, a.expires, a.seller, a.category,
  a.extra
FROM bid AS b
JOIN auction AS a ON b.auction = a.id
WHERE a.category = 10;
