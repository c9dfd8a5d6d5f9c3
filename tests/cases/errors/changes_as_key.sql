-- fail: CONFLICTING_OPTIONS 5:3
-- says: A key format should only deal with INSERT-only records. But maxwell-json has a changelog mode of
CREATE TABLE t (id INT, k INT) WITH (
  'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'maxwell-json', 'key.fields' = 'k', 'value.format' = 'json'
);
