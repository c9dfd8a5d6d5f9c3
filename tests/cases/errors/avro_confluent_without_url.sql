-- fail: MISSING_OPTION
-- says: lacks the required option 'avro-confluent.url'
CREATE TABLE t (a STRING) WITH (
  'connector' = 'kafka',
  'topic' = 't', 'properties.bootstrap.servers' = 'x:1', 'format' = 'avro-confluent'
);
