-- fail: UNKNOWN_OPTION
-- says: avro.codec
CREATE TABLE t (a STRING) WITH (
  'connector' = 'kafka',
  'topic' = 't', 'properties.bootstrap.servers' = 'x:1', 'format' = 'avro', 'avro.codec' = 'snappy'
);
