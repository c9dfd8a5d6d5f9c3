-- fail: UNSUPPORTED_TYPE
-- says: `t` has the type TIME
CREATE TABLE source (t TIME(3)) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json'
);
