-- folded
-- Groups that are compared with what a query says of all rows.
CREATE TABLE orders (id INT, buyer STRING, amount INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE large (buyer STRING, amount INT, of_all INT, PRIMARY KEY (buyer) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'large', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO large
SELECT buyer, SUM(amount), (SELECT SUM(amount) FROM orders)
FROM orders GROUP BY buyer HAVING SUM(amount) > (SELECT AVG(amount) FROM orders);
