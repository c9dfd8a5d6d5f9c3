-- fail: CONFLICTING_OPTIONS
-- says: The 'protobuf' format is not supported for the 'filesystem' connector.
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'filesystem',
  'path' = '/tmp/none',
  'format' = 'protobuf',
  'protobuf.message-name' = 'shop.Order',
  'protobuf.descriptor-file' = 'tests/cases/formats/protobuf_orders.desc'
);
