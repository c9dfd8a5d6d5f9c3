-- fail: CONFLICTING_OPTIONS 10:3
-- says: A key prefix is not allowed
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'key.format' = 'json',
  'key.fields' = 'id',
  'key.fields-prefix' = 'i'
);
