-- fail: PROTOBUF_MISMATCH
-- says: Unexpected LogicalType: TIMESTAMP(3). It should be RowType
CREATE TABLE source (placed TIMESTAMP(3)) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'protobuf',
  'protobuf.message-name' = 'shop.Order',
  'protobuf.descriptor-file' = 'tests/cases/formats/protobuf_orders.desc'
);
