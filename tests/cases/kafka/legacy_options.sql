-- ordered
CREATE TABLE old_source (id BIGINT, name STRING) WITH (
  'connector.type' = 'kafka',
  'connector.version' = '0.11',
  'connector.topic' = 'old_source',
  'connector.properties.zookeeper.connect' = 'localhost:2181',
  'connector.properties.bootstrap.servers' = 'localhost:9092',
  'connector.startup-mode' = 'earliest-offset',
  'update-mode' = 'append',
  'format.type' = 'json',
  'format.derive-schema' = 'true'
);
CREATE TABLE old_sink (id BIGINT, name STRING) WITH (
  'connector' = 'kafka-0.11',
  'topic' = 'old_sink',
  'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'csv'
);
INSERT INTO old_sink SELECT id, name FROM old_source;
