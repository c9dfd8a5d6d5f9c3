-- fail: UNKNOWN_METADATA 3:28
-- says: Invalid metadata key 'value.source.table' | topic, partition, headers, header-list, leader-epoch
CREATE TABLE t (id BIGINT, o STRING METADATA FROM 'value.source.table' VIRTUAL) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'topic' = 't'
);
