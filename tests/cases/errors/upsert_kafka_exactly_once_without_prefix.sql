-- fail: CONFLICTING_OPTIONS 7:3
-- says: sink.transactional-id-prefix must be specified when using DeliveryGuarantee.EXACTLY_ONCE.
CREATE TABLE t (id BIGINT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json',
  'value.format' = 'json',
  'sink.delivery-guarantee' = 'exactly-once'
);
