-- fail: PROTOBUF_MISMATCH
-- says: Column total does not exist in definition of proto class.
CREATE TABLE source (id BIGINT, total INT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'protobuf',
  'protobuf.message-name' = 'shop.Order',
  'protobuf.descriptor-file' = 'tests/cases/formats/protobuf_orders.desc'
);
