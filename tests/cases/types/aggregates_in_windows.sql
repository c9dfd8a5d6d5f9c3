CREATE TABLE bids (
  item STRING, bidder STRING, price INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'bids',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE facts (
  item STRING,
  first_item STRING,
  last_item STRING,
  same STRING,
  prices_of_ann ARRAY<INT>,
  bids STRING,
  median DOUBLE,
  quartiles ARRAY<DOUBLE>,
  bidders BIGINT,
  variance INT,
  deviation DECIMAL(10, 3),
  sample DOUBLE
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'facts',
  'format' = 'json'
);
INSERT INTO facts
SELECT
  item,
  FIRST_VALUE(item),
  LAST_VALUE(item),
  LISTAGG(item, '+'),
  ARRAY_AGG(price) FILTER (WHERE bidder = 'ann'),
  JSON_OBJECTAGG(KEY bidder VALUE price),
  PERCENTILE(price, 0.5),
  PERCENTILE(price, ARRAY[0.25, 0.75]),
  APPROX_COUNT_DISTINCT(bidder),
  VAR_POP(price),
  STDDEV_POP(CAST(price AS DECIMAL(10, 2))),
  VAR_SAMP(CAST(price AS DOUBLE)) FILTER (WHERE bidder = 'ann')
FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY item, window_start, window_end;
