-- fail: MISSING_OPTION
-- says: protobuf.descriptor-file
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'protobuf',
  'protobuf.message-class-name' = 'com.example.shop.Orders$Order'
);
