-- folded
-- Tables joined by their keys: the rows have one of them, so that nothing is kept for the sinks.
-- Those of a FULL JOIN may lack either: its shared column is that of the side that is there.
CREATE TABLE users (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'users', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE cities (user_id INT, city STRING, PRIMARY KEY (user_id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'cities', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE both_known (id INT, name STRING, city STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'both_known', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE all_users (id INT, name STRING, city STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'all_users', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE anyone (id INT, name STRING, city STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'anyone', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
INSERT INTO both_known
SELECT u.id, u.name, c.city FROM users AS u JOIN cities AS c ON u.id = c.user_id;
INSERT INTO all_users
SELECT u.id, u.name, c.city FROM users AS u LEFT JOIN cities AS c ON u.id = c.user_id;
INSERT INTO anyone
SELECT id, name, city FROM users FULL JOIN (SELECT user_id AS id, city FROM cities) USING (id);
