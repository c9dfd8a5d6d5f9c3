-- folded
-- Two tables that change, joined: what either side changes is found in the result.
CREATE TABLE users (id INT, name STRING, city STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'users', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE orders (id INT, user_id INT, total INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE named (id INT, name STRING, city STRING, total INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'named', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
INSERT INTO named
SELECT o.id, u.name, u.city, o.total FROM orders AS o LEFT JOIN users AS u ON o.user_id = u.id;
