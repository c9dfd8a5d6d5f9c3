-- partitions: 1
-- OVER by event time: the last rows, the last seconds, all rows before; told in order of time, once.
CREATE TABLE orders (
  id INT, k STRING, amount INT, item STRING, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE last_rows (id INT, n BIGINT, total INT, mean DOUBLE, least INT, items STRING) WITH (
  'connector' = 'kafka', 'topic' = 'last_rows', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE TABLE last_seconds (id INT, n BIGINT, kinds BIGINT, most INT, first_item STRING) WITH (
  'connector' = 'kafka', 'topic' = 'last_seconds', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE TABLE so_far (id INT, total INT, small BIGINT, place BIGINT, dense BIGINT, before INT) WITH (
  'connector' = 'kafka', 'topic' = 'so_far', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE TABLE numbered (id INT, nr BIGINT) WITH (
  'connector' = 'kafka', 'topic' = 'numbered', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
INSERT INTO last_rows
SELECT id, COUNT(*) OVER w, SUM(amount) OVER w, AVG(CAST(amount AS DOUBLE)) OVER w, MIN(amount) OVER w,
  LISTAGG(item) OVER w
FROM orders
WINDOW w AS (PARTITION BY k ORDER BY ts ROWS BETWEEN 1 PRECEDING AND CURRENT ROW);
INSERT INTO last_seconds
SELECT id, COUNT(*) OVER w, COUNT(DISTINCT item) OVER w, MAX(amount) OVER w, FIRST_VALUE(item) OVER w
FROM orders
WINDOW w AS (ORDER BY ts RANGE BETWEEN INTERVAL '5' SECOND PRECEDING AND CURRENT ROW);
INSERT INTO so_far
SELECT id, SUM(amount) OVER w, COUNT(*) FILTER (WHERE amount < 5) OVER w, RANK() OVER w,
  DENSE_RANK() OVER w, LAG(amount, 1, -1) OVER w
FROM orders
WINDOW w AS (PARTITION BY k ORDER BY ts);
INSERT INTO numbered
SELECT id, ROW_NUMBER() OVER (ORDER BY ts) FROM orders;
