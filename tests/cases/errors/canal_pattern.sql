-- fail: INVALID_OPTION_VALUE 5:3
-- says: a regular expression that Java and Python understand alike
CREATE TABLE t (id INT) WITH (
  'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1', 'format' = 'canal-json',
  'canal-json.table.include' = '['
);
