-- fail: REFUSED_OPTION 6:3
-- says: Debezium JSON serialization doesn't support 'debezium-json.schema-include' option been set to true.
CREATE TABLE t (id INT) WITH (
  'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'debezium-json',
  'debezium-json.schema-include' = 'true'
);
INSERT INTO t VALUES (1);
