-- fail: REFUSED_OPTION
-- says: lacks the option 'protobuf.message-class-name'
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'protobuf',
  'protobuf.descriptor-file' = 'tests/cases/formats/protobuf_orders.desc'
);
