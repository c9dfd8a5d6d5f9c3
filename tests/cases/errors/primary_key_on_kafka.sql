-- fail: CONFLICTING_OPTIONS 3:33
-- says: doesn't support defining PRIMARY KEY constraint
CREATE TABLE source (id BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json'
);
