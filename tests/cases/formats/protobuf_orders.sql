-- partitions: 2
CREATE TABLE orders (
  id BIGINT,
  customer STRING,
  status STRING,
  items ARRAY<ROW<product STRING, `count` INT, price DOUBLE>>,
  labels MAP<STRING, STRING>,
  placed ROW<seconds BIGINT, nanos INT>,
  card STRING,
  invoice ROW<street STRING>
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'orders',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'protobuf',
  'protobuf.message-class-name' = 'com.example.shop.Orders$Order',
  'protobuf.descriptor-file' = 'tests/cases/formats/protobuf_orders.desc',
  'protobuf.ignore-parse-errors' = 'true'
);
-- The same messages again, encoded, and then read back as JSON.
CREATE TABLE shown (
  id BIGINT,
  customer STRING,
  status STRING,
  products ARRAY<STRING>,
  labels MAP<STRING, STRING>,
  placed TIMESTAMP_LTZ(3),
  street STRING
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'shown',
  'format' = 'json'
);
INSERT INTO shown
SELECT id, customer, status, products, labels, TO_TIMESTAMP_LTZ(placed.seconds, 0), invoice.street
FROM (SELECT id, customer, status, ARRAY[items[1].product, items[2].product] AS products, labels, placed, invoice
      FROM orders) AS o;
