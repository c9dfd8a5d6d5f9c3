-- A filter by the key alone passes upserts on, above a table, a GROUP BY and a deduplication.
CREATE TABLE items (k INT, name STRING, PRIMARY KEY (k) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'items', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE orders (k INT, amount INT, at AS PROCTIME()) WITH (
  'connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE copy (k INT, name STRING, PRIMARY KEY (k) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'copy', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE sums (k INT, total INT, PRIMARY KEY (k) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'sums', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE newest (k INT, amount INT, PRIMARY KEY (k) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'newest', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE chosen (k INT, name STRING, PRIMARY KEY (k) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'chosen', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO copy SELECT k, name FROM items WHERE k > 5;
INSERT INTO sums SELECT k, SUM(amount) FROM orders GROUP BY k HAVING k > 5;
INSERT INTO newest SELECT k, amount FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY at DESC) AS rn FROM orders
) WHERE rn = 1 AND k > 5;
-- By chance, the old row may have passed and the new one not.
INSERT INTO chosen SELECT k, name FROM items WHERE k > RAND_INTEGER(10);
