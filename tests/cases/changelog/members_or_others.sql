-- folded
-- IN and EXISTS inside of OR and CASE, over tables that change.
CREATE TABLE orders (id INT, buyer STRING, amount INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE friends (name STRING, since INT, PRIMARY KEY (name) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'friends', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE wanted (id INT, level STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'wanted', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO wanted
SELECT id,
  CASE WHEN EXISTS (SELECT 1 FROM friends f WHERE f.name = o.buyer AND f.since < 2020) THEN 'old'
       ELSE 'new' END
FROM orders o
WHERE amount > 100 OR buyer IN (SELECT name FROM friends);
