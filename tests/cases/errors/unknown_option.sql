-- fail: UNKNOWN_OPTION 8:3
-- says: 'scan.startup.mod' | Did you mean 'scan.startup.mode' | topic-pattern
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'scan.startup.mod' = 'earliest-offset'
);
