-- fail: MISSING_OPTION
-- says: 'properties.bootstrap.servers'
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'format' = 'json'
);
