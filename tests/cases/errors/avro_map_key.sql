-- fail: UNSUPPORTED_TYPE
-- says: Avro format doesn't support non-string as key type of map. The key type is: INT
CREATE TABLE t (a MAP<INT, STRING>) WITH (
  'connector' = 'kafka',
  'topic' = 't', 'properties.bootstrap.servers' = 'x:1', 'format' = 'avro'
);
