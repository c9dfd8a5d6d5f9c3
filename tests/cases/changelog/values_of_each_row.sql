-- folded
-- Queries that stand for a value and speak of the row around them, over tables that change.
CREATE TABLE orders (id INT, buyer STRING, amount INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE buyers (name STRING, newest INT, PRIMARY KEY (name) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'buyers', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE known (name STRING, score BIGINT, newest INT, PRIMARY KEY (name) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'known', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE large (id INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'large', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO known
SELECT name,
  (SELECT 10 * COUNT(*) + COALESCE(MAX(amount), 0) FROM orders WHERE buyer = name AND amount > 0),
  (SELECT o.amount FROM orders o WHERE o.id = b.newest)
FROM buyers b;
INSERT INTO large
SELECT id FROM orders o WHERE amount > (SELECT AVG(i.amount) FROM orders i WHERE i.buyer = o.buyer);
