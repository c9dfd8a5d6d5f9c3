-- fail: CONFLICTING_OPTIONS
-- says: Could not find the field 'idd'
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'key.format' = 'json',
  'key.fields' = 'idd'
);
