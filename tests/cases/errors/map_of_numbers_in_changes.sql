-- fail: UNSUPPORTED_TYPE
-- says: JSON format doesn't support non-string as key type of map.
CREATE TABLE t (m MAP<INT, INT>) WITH (
  'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'debezium-json'
);
