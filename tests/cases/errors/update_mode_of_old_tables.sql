-- fail: REFUSED_OPTION 9:3
-- says: 'update-mode' = 'upsert' is not supported by a Kafka table.
CREATE TABLE t (id BIGINT) WITH (
  'connector.type' = 'kafka',
  'connector.version' = 'universal',
  'connector.topic' = 't',
  'connector.properties.bootstrap.servers' = 'x:1',
  'format.type' = 'json',
  'update-mode' = 'upsert'
);
