-- fail: UNSUPPORTED_TYPE
-- says: Avro does not support TIMESTAMP type with precision: 6, it only supports precision less than 3.
CREATE TABLE t (a TIMESTAMP(6)) WITH (
  'connector' = 'kafka',
  'topic' = 't', 'properties.bootstrap.servers' = 'x:1', 'format' = 'avro'
);
