-- fail: CONFLICTING_OPTIONS
-- says: can only be declared if a key format is defined
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'key.fields' = 'id'
);
