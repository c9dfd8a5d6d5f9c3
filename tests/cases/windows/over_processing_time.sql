-- partitions: 1
-- OVER by processing time: rows as they come.
CREATE TABLE orders (id INT, k STRING, amount INT, p AS PROCTIME()) WITH (
  'connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE so_far (id INT, total INT, most INT, before INT) WITH (
  'connector' = 'kafka', 'topic' = 'so_far', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE TABLE last_rows (id INT, total INT, least INT) WITH (
  'connector' = 'kafka', 'topic' = 'last_rows', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
INSERT INTO so_far
SELECT id, SUM(amount) OVER w, MAX(amount) OVER w, LAG(amount, 2) OVER w
FROM orders WINDOW w AS (PARTITION BY k ORDER BY p);
INSERT INTO last_rows
SELECT id, SUM(amount) OVER w, MIN(amount) OVER w
FROM orders WINDOW w AS (ORDER BY p ROWS BETWEEN 2 PRECEDING AND CURRENT ROW);
