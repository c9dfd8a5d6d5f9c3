-- fail: CONFLICTING_OPTIONS
-- says: shouldn't be set together
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'topic-pattern' = 'a.*'
);
