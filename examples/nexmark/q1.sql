-- Nexmark 1, currency conversion: the price of every bid in euros.
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

CREATE TABLE nexmark_q1 (
  auction    BIGINT,
  bidder     BIGINT,
  price      DECIMAL(23, 3),
  `dateTime` TIMESTAMP(3),
  extra      STRING
) WITH (
  'connector' = 'kafka',
  'topic' = 'nexmark_q1',
  'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);

INSERT INTO nexmark_q1
SELECT auction, bidder, 0.908 * price, `dateTime`, extra FROM bid;
