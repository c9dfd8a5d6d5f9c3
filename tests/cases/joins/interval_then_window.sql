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
CREATE TABLE counts (
  w_end TIMESTAMP(3), n BIGINT
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'counts',
  'format' = 'json'
);
INSERT INTO counts
SELECT TUMBLE_END(ordered, INTERVAL '5' MINUTE), COUNT(*)
FROM (
  SELECT o.ts AS ordered, s.city FROM orders o JOIN ships s
  ON o.id = s.order_id AND s.ts BETWEEN o.ts AND o.ts + INTERVAL '5' MINUTE
)
GROUP BY TUMBLE(ordered, INTERVAL '5' MINUTE);
