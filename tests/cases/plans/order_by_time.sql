CREATE TABLE orders (
  id INT, k STRING, amount INT, ts TIMESTAMP(3), at AS PROCTIME(),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH (
  'connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE rates (
  k STRING, rate INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts
) WITH (
  'connector' = 'kafka', 'topic' = 'rates', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE sink (
  id INT
) WITH ('connector' = 'print');
INSERT INTO sink
SELECT id FROM orders ORDER BY ts;
