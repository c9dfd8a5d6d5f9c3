-- fail: REFUSED_OPTION
-- says: Option avro-confluent.subject is required for serialization
CREATE TABLE t (a STRING, to_topic STRING METADATA FROM 'topic') WITH (
  'connector' = 'kafka', 'topic' = 't;u', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'avro-confluent', 'avro-confluent.url' = 'http://localhost:8081'
);
INSERT INTO t VALUES ('a', 'u');
