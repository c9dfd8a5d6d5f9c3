-- fail: SEVERAL_RAW_COLUMNS 3:14
-- says: The 'raw' format only supports single physical column. However the defined schema contains multiple physical columns: [a, b]
CREATE TABLE t (a INT, b INT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'raw'
);
