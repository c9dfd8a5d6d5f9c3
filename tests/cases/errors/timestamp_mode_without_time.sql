-- fail: CONFLICTING_OPTIONS 8:3
-- says: 'scan.startup.timestamp-millis' is required in 'timestamp' startup mode but missing.
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'scan.startup.mode' = 'timestamp'
);
