-- fail: REFUSED_OPTION 9:3
-- says: Invalid properties 'scan.startup.specific-offsets' should follow the format | but is 'partition:0'
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'scan.startup.mode' = 'specific-offsets',
  'scan.startup.specific-offsets' = 'partition:0'
);
