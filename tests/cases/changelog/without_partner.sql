-- folded
-- NOT EXISTS over streams: a row is there while no other is.
CREATE TABLE users (id INT, name STRING, city STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'users', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE orders (id INT, user_id INT, total INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE idle (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'idle', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
INSERT INTO idle
SELECT id, name FROM users AS u WHERE NOT EXISTS (
  SELECT * FROM orders AS o WHERE o.user_id = u.id AND o.total > 5
);
