-- fail: REFUSED_OPTION
-- says: has no message 'shop.Invoice'
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'protobuf',
  'protobuf.message-name' = 'shop.Invoice',
  'protobuf.descriptor-file' = 'tests/cases/formats/protobuf_orders.desc'
);
