-- fail: UNSUPPORTED_TYPE 3:14
-- says: The 'raw' format doesn't supports 'TIMESTAMP(3)' as column type.
CREATE TABLE t (a TIMESTAMP(3)) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'raw'
);
