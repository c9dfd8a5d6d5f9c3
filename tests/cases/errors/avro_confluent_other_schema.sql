-- fail: REFUSED_OPTION
-- says: Schema provided for 'avro-confluent' format does not match the table schema: {"type": "record"
CREATE TABLE t (a STRING) WITH (
  'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'avro-confluent', 'avro-confluent.url' = 'http://localhost:8081',
  'avro-confluent.schema' = '{"type": "record", "name": "r", "fields": [{"name": "a", "type": "string"}]}'
);
