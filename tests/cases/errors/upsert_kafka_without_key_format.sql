-- fail: MISSING_OPTION 3:14
-- says: 'key.format'
CREATE TABLE t (id BIGINT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'value.format' = 'json'
);
