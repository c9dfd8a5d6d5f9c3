-- folded
-- How much is cheaper or as dear, and the places by price: of rows that change, by no time at all.
CREATE TABLE items (id INT, kind STRING, price INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'items', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE sums (
  id INT, kind STRING, price INT, up_to BIGINT, n BIGINT, dearest INT,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'sums', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE places (id INT, place BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'places', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE ranks (id INT, rank_ BIGINT, dense BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'ranks', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO sums
SELECT id, kind, price, SUM(CAST(price AS BIGINT)) OVER w, COUNT(*) OVER w, MAX(price) OVER w
FROM items WINDOW w AS (PARTITION BY kind ORDER BY price);
INSERT INTO places SELECT id, ROW_NUMBER() OVER (ORDER BY price) FROM items WHERE kind = 'tool';
INSERT INTO ranks
SELECT id, RANK() OVER (PARTITION BY kind ORDER BY price), DENSE_RANK() OVER (PARTITION BY kind ORDER BY price)
FROM items;
