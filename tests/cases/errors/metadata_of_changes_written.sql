-- fail: READ_ONLY_COLUMN
CREATE TABLE t (id INT, o STRING METADATA FROM 'value.table') WITH (
  'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'maxwell-json'
);
INSERT INTO t VALUES (1, 'x');
