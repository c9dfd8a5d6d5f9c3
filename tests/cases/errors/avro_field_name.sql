-- fail: UNSUPPORTED_TYPE
-- says: Illegal character in: first name
CREATE TABLE t (`first name` STRING) WITH (
  'connector' = 'kafka',
  'topic' = 't', 'properties.bootstrap.servers' = 'x:1', 'format' = 'avro'
);
