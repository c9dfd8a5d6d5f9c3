-- fail: CONFLICTING_OPTIONS 8:3
-- says: shouldn't be set together
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'topic-pattern' = 'a.*'
);
