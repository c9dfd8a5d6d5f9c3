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
  id INT, k STRING, city STRING
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'shipped',
  'format' = 'json'
);
INSERT INTO shipped
SELECT o.id, o.k, s.city
FROM orders o FULL JOIN ships s
  ON o.id = s.order_id AND s.ts BETWEEN o.ts AND o.ts + INTERVAL '5' MINUTE;
