CREATE TABLE carts (
  id INT, items ARRAY<ROW<sku STRING, n INT>>, notes MAP<STRING, STRING>, tags ARRAY<STRING>
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'carts',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE lines (
  id INT, sku STRING, n INT, tag STRING
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'lines',
  'format' = 'json'
);
INSERT INTO lines
SELECT id, sku, n, tag
FROM carts CROSS JOIN UNNEST(items) AS i (sku, n) LEFT JOIN UNNEST(tags) AS t (tag) ON TRUE
WHERE n > 0;
