-- fail: CONFLICTING_OPTIONS
-- says: Either 'topic' or 'topic-pattern' must be set.
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json'
);
