-- fail: CONFLICTING_OPTIONS
-- says: Messages of the format 'protobuf' are no lines of a file.
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'filesystem',
  'path' = '/tmp/none',
  'format' = 'protobuf',
  'protobuf.message-name' = 'shop.Order',
  'protobuf.descriptor-file' = 'tests/cases/formats/protobuf_orders.desc'
);
