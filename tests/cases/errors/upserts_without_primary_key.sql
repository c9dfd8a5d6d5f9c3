-- fail: CONFLICTING_OPTIONS 6:3
-- says: Option 'ogg-json.missing-before' = 'upsert' requires the Kafka table 't' to define a PRIMARY KEY | NOT ENFORCED
CREATE TABLE t (id INT) WITH (
  'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'ogg-json',
  'ogg-json.missing-before' = 'upsert'
);
