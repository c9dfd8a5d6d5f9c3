-- fail: INVALID_OPTION_VALUE 6:3
-- says: the name of a charset
CREATE TABLE t (a STRING) WITH (
  'connector' = 'kafka',
  'topic' = 't', 'properties.bootstrap.servers' = 'x:1', 'format' = 'raw',
  'raw.charset' = 'UTF-99'
);
