-- fail: INVALID_OPTION_VALUE 8:3
-- says: 'earliest-offset', 'latest-offset'
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'scan.startup.mode' = 'earliest'
);
