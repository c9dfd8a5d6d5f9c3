-- folded
-- The two dearest orders of each buyer, without their places: an order that only moves is not told.
CREATE TABLE orders (id INT, buyer STRING, amount INT) WITH (
  'connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE dearest (id INT, buyer STRING, amount INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'dearest', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO dearest
SELECT id, buyer, amount FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY buyer ORDER BY amount DESC NULLS LAST) AS place FROM orders
) WHERE place <= 2;
