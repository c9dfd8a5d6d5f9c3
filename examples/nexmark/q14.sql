-- Nexmark 14, calculation: dear bids by the time of day, with a function of one's own.
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

CREATE TABLE nexmark_q14 (
  auction     BIGINT,
  bidder      BIGINT,
  price       DECIMAL(23, 3),
  bidTimeType STRING,
  `dateTime`  TIMESTAMP(3),
  extra       STRING,
  c_counts    BIGINT
) WITH (
  'connector' = 'kafka',
  'topic' = 'nexmark_q14',
  'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);

CREATE FUNCTION count_char AS 'functions.count_char' LANGUAGE PYTHON;

INSERT INTO nexmark_q14
SELECT
  auction,
  bidder,
  0.908 * price,
  CASE
    WHEN HOUR(`dateTime`) BETWEEN 8 AND 18 THEN 'dayTime'
    WHEN HOUR(`dateTime`) <= 6 OR HOUR(`dateTime`) >= 20 THEN 'nightTime'
    ELSE 'otherTime'
  END,
  `dateTime`,
  extra,
  count_char(extra, 'c')
FROM bid
WHERE 0.908 * price > 1000000 AND 0.908 * price < 50000000;
