-- fail: CONFLICTING_OPTIONS 8:3
-- says: sink.transactional-id-prefix must be specified when using DeliveryGuarantee.EXACTLY_ONCE
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'sink.delivery-guarantee' = 'exactly-once'
);
