-- folded
-- Keys and values of protobuf, whose bytes are a field's number and type, a length, and the text.
CREATE TABLE orders (id BIGINT, customer STRING) WITH (
  'connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE written (id BIGINT, customer STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'written', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'protobuf', 'value.format' = 'protobuf',
  'key.protobuf.message-class-name' = 'com.example.shop.Orders$Order',
  'key.protobuf.descriptor-file' = 'tests/cases/formats/protobuf_orders.desc',
  'value.protobuf.message-class-name' = 'com.example.shop.Orders$Order',
  'value.protobuf.descriptor-file' = 'tests/cases/formats/protobuf_orders.desc'
);
CREATE TABLE stored WITH ('topic' = 'stored') LIKE written (OVERWRITING OPTIONS);
CREATE TABLE shown (id BIGINT, customer STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'shown', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'csv', 'value.format' = 'json'
);
INSERT INTO written SELECT id, customer FROM orders;
INSERT INTO shown SELECT id, customer FROM stored WHERE customer <> 'eve';
