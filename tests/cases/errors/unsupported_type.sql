-- fail: UNSUPPORTED_TYPE
-- says: `t` has the type TIMESTAMPTZ | TIMESTAMP_LTZ
CREATE TABLE source (t TIMESTAMP(3) WITH TIME ZONE) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json'
);
