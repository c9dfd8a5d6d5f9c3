-- folded
-- partitions: 2
-- The two best of each kind by their sums, with their places.
CREATE TABLE sales (kind STRING, shop STRING, n INT) WITH (
  'connector' = 'kafka', 'topic' = 'sales', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE best (
  kind STRING, place BIGINT, shop STRING, total INT, PRIMARY KEY (kind, place) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'best', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO best
SELECT kind, place, shop, total FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY kind ORDER BY total DESC) AS place
  FROM (SELECT kind, shop, SUM(n) AS total FROM sales GROUP BY kind, shop)
) WHERE place <= 2;
