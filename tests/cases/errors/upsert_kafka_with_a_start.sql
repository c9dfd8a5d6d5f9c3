-- fail: UNKNOWN_OPTION 7:3
-- says: 'scan.startup.mode'
CREATE TABLE t (id BIGINT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json',
  'value.format' = 'json',
  'scan.startup.mode' = 'latest-offset'
);
