-- folded
-- LATERAL: what belongs to each row, as it is, aggregated, and the first of its groups.
CREATE TABLE shops (shop STRING, PRIMARY KEY (shop) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'shops', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE sales (id INT, shop STRING, item STRING, n INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'sales', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE totals (shop STRING, sales BIGINT, most INT, PRIMARY KEY (shop) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'totals', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE large (id INT, shop STRING, n INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'large', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE best (shop STRING, item STRING, n INT, PRIMARY KEY (shop) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'best', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO totals
SELECT s.shop, t.c, t.m
FROM shops s, LATERAL (SELECT COUNT(*) AS c, MAX(n) AS m FROM sales WHERE sales.shop = s.shop) t;
INSERT INTO large
SELECT t.id, s.shop, t.n
FROM shops s, LATERAL (
  SELECT id, n FROM sales WHERE sales.shop = s.shop AND sales.n > CHAR_LENGTH(s.shop)
) t;
INSERT INTO best
SELECT s.shop, t.item, t.total
FROM shops s LEFT JOIN LATERAL (
  SELECT item, SUM(n) AS total FROM sales WHERE sales.shop = s.shop
  GROUP BY item ORDER BY SUM(n) DESC, item LIMIT 1
) t ON TRUE;
