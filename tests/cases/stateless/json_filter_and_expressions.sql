CREATE TABLE orders (
  order_id STRING,
  amount DOUBLE,
  quantity INT,
  note STRING
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'orders',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE large (
  order_id STRING,
  label STRING,
  total DOUBLE,
  half INT,
  kind STRING
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'large',
  'format' = 'json'
);
INSERT INTO large
SELECT
  order_id,
  UPPER(order_id) || '-' || CAST(quantity AS STRING),
  amount * quantity,
  quantity / 2,
  CASE WHEN amount >= 100 THEN 'dear' WHEN amount >= 10 THEN 'fair' ELSE 'cheap' END
FROM orders
WHERE quantity > 1 AND (note IS NULL OR note <> 'test') AND order_id LIKE 'a%';
