CREATE TABLE bids (
  item STRING, bidder INT, price INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'bids',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE per_minute (
  w_end TIMESTAMP(3), windows BIGINT, total INT
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'per_minute',
  'format' = 'json'
);
CREATE VIEW tens AS
SELECT TUMBLE_ROWTIME(ts, INTERVAL '10' SECOND) AS at, item, SUM(price) AS total
FROM bids GROUP BY TUMBLE(ts, INTERVAL '10' SECOND), item;
INSERT INTO per_minute
SELECT TUMBLE_END(at, INTERVAL '20' SECOND), COUNT(*), SUM(total)
FROM tens GROUP BY TUMBLE(at, INTERVAL '20' SECOND);
