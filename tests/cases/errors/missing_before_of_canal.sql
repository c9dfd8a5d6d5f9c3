-- fail: UNKNOWN_OPTION
CREATE TABLE t (id INT) WITH (
  'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'canal-json', 'canal-json.missing-before' = 'upsert'
);
