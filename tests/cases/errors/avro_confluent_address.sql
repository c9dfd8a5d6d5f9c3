-- fail: INVALID_OPTION_VALUE
-- says: addresses such as http://localhost:8081
CREATE TABLE t (a STRING) WITH (
  'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'avro-confluent', 'avro-confluent.url' = 'localhost:8081'
);
