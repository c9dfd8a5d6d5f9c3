-- set: penstock.max-offsets-per-batch = 2
-- Rows behind the watermark find the partners that are still kept, or are told without one.
CREATE TABLE orders (
  id INT, k STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'orders',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE ships (
  order_id INT, city STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'ships',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE shipped (
  id INT, order_id INT, city STRING
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'shipped',
  'format' = 'json'
);
INSERT INTO shipped
SELECT o.id, s.order_id, s.city
FROM orders o FULL JOIN ships s
  ON o.id = s.order_id AND s.ts BETWEEN o.ts AND o.ts + INTERVAL '5' MINUTE;
CREATE TABLE pairs (
  id INT, city STRING
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'pairs',
  'format' = 'json'
);
INSERT INTO pairs
SELECT o.id, s.city
FROM orders o JOIN ships s
  ON o.id = s.order_id AND s.ts BETWEEN o.ts AND o.ts + INTERVAL '5' MINUTE;
