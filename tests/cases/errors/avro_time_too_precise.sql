-- fail: UNSUPPORTED_TYPE
-- says: Avro does not support TIME type with precision: 6, it only supports precision less than 3.
CREATE TABLE t (a ROW<b TIME(6)>) WITH (
  'connector' = 'kafka',
  'topic' = 't', 'properties.bootstrap.servers' = 'x:1', 'format' = 'avro'
);
