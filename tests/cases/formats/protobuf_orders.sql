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
CREATE TABLE shown (
  id BIGINT,
  customer STRING,
  status STRING,
  products ARRAY<STRING>,
  labels MAP<STRING, STRING>,
  placed TIMESTAMP_LTZ(3),
  card STRING,
  street STRING
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'shown',
  'format' = 'json'
);
CREATE TABLE sent (
  id BIGINT,
  status INT,
  customer STRING,
  items ARRAY<ROW<product STRING, `count` INT, price DOUBLE>>,
  invoice ROW<street STRING>
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'sent',
  'format' = 'protobuf',
  'protobuf.message-name' = 'shop.Order',
  'protobuf.descriptor-file' = 'tests/cases/formats/protobuf_orders.proto'
);
INSERT INTO shown
SELECT id, customer, status, ARRAY[items[1].product, items[2].product], labels,
  TO_TIMESTAMP_LTZ(placed.seconds, 0), card, invoice.street
FROM orders;
INSERT INTO sent SELECT id, 2, customer, items, invoice FROM orders WHERE status = 'PAID';
