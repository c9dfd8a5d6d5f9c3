-- fail: CONFLICTING_OPTIONS
CREATE TABLE t (a STRING, b INT) WITH (
  'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'debezium-avro-confluent', 'key.fields' = 'a',
  'key.debezium-avro-confluent.url' = 'http://localhost:8081', 'value.format' = 'json'
);
