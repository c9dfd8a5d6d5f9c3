-- folded
-- Joins by key that ask for more of one side: a row that no longer meets it has no partner.
CREATE TABLE orders (id INT, buyer INT) WITH (
  'connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE users (id INT, city STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'users', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE inner_ (id INT, city STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'inner_', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE left_ WITH ('topic' = 'left_') LIKE inner_;
INSERT INTO inner_ SELECT o.id, u.city FROM orders o JOIN users u ON o.buyer = u.id AND u.city <> 'rome';
INSERT INTO left_ SELECT o.id, u.city FROM orders o LEFT JOIN users u ON o.buyer = u.id AND u.city <> 'rome';
