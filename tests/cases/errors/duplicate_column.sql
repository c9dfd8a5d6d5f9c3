-- fail: DUPLICATE_COLUMN
CREATE TABLE source (id BIGINT, id INT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json'
);
