-- fail: REFUSED_OPTION 8:3
-- says: Deserializer class org.apache.kafka.common.serialization.StringDeserializer does not deserialize byte[]
CREATE TABLE t (id BIGINT) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'topic' = 't',
  'properties.key.deserializer' = 'org.apache.kafka.common.serialization.StringDeserializer',
  'scan.startup.mode' = 'earliest-offset'
);
CREATE TABLE s (id BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO s SELECT id FROM t;
