-- fail: INVALID_OPTION_VALUE
-- says: partition:0,offset:42
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'scan.startup.mode' = 'specific-offsets',
  'scan.startup.specific-offsets' = 'partition:0'
);
