-- LEFT JOIN UNNEST with a condition: rows of which no element meets it are there without one.
CREATE TABLE stock (id INT, prices ARRAY<INT>) WITH (
  'connector' = 'kafka', 'topic' = 'stock', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE dear (id INT, price INT) WITH (
  'connector' = 'kafka', 'topic' = 'dear', 'properties.bootstrap.servers' = 'x:1', 'format' = 'json'
);
INSERT INTO dear
SELECT id, price FROM stock LEFT JOIN UNNEST(prices) AS p(price) ON price > 4;
