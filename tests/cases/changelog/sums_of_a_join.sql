-- folded
-- Three steps that keep rows: two tables are normalized, joined, and grouped.
CREATE TABLE users (id INT, name STRING, city STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'users', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE orders (id INT, user_id INT, total INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE cities (city STRING, orders BIGINT, total INT, PRIMARY KEY (city) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'cities', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
INSERT INTO cities
SELECT u.city, COUNT(*), SUM(o.total)
FROM orders AS o JOIN users AS u ON o.user_id = u.id AND o.total > 1
GROUP BY u.city;
