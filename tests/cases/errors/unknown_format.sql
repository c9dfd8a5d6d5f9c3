-- fail: UNKNOWN_FORMAT 7:3
-- says: Did you mean 'json' | csv | json
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'jsn'
);
