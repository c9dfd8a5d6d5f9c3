-- fail: PROTOBUF_MISMATCH
-- says: Protobuf field type does not match column type, LONG(protobuf) is not compatible with INTEGER
CREATE TABLE source (id INT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'protobuf',
  'protobuf.message-name' = 'shop.Order',
  'protobuf.descriptor-file' = 'tests/cases/formats/protobuf_orders.desc'
);
