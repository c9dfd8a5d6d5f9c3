-- folded
-- A database tells changes twice: joined by its key a row is still one row.
CREATE TABLE users (id INT, city STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'kafka', 'topic' = 'users', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'debezium-json'
);
CREATE TABLE payments (id INT, user_id INT, amount INT) WITH (
  'connector' = 'kafka', 'topic' = 'payments', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE totals (city STRING, payments BIGINT, total INT, PRIMARY KEY (city) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'totals', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO totals
SELECT u.city, COUNT(*), SUM(p.amount)
FROM payments AS p JOIN users AS u ON p.user_id = u.id
GROUP BY u.city;
