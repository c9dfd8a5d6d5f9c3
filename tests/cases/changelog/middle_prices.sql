-- folded
-- ORDER BY with LIMIT over rows that change: others move up when one goes.
CREATE TABLE items (id INT, name STRING, price INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'items', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE middle (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'middle', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO middle SELECT id, name FROM items ORDER BY price DESC, name LIMIT 2 OFFSET 1;
