-- fail: UNSUPPORTED_TYPE
-- says: Unsupported to derive Schema for type: TIMESTAMP_LTZ(3)
CREATE TABLE t (a TIMESTAMP_LTZ(3)) WITH (
  'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'avro-confluent', 'avro-confluent.url' = 'http://localhost:8081'
);
