-- fail: CONFLICTING_OPTIONS 9:3
-- says: Currently Kafka source only supports specific offset for single topic.
CREATE TABLE t (id BIGINT) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'topic' = 'a;b',
  'scan.startup.mode' = 'specific-offsets',
  'scan.startup.specific-offsets' = 'partition:0,offset:1'
);
