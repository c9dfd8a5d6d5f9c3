-- fail: UNKNOWN_OPTION 8:3
-- says: Did you mean 'json.ignore-parse-errors'
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'json.ignore-parse-error' = 'true'
);
