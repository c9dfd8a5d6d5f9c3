-- folded
-- What a database tells, grouped: updates move rows from group to group, deletions empty them.
CREATE TABLE products (id INT, kind STRING, price INT) WITH (
  'connector' = 'kafka', 'topic' = 'products', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'debezium-json'
);
CREATE TABLE kinds (
  kind STRING, n BIGINT, prices BIGINT, dearest INT, average INT, PRIMARY KEY (kind) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'kinds', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO kinds
SELECT kind, COUNT(*), COUNT(DISTINCT price), MAX(price), AVG(price) FROM products GROUP BY kind;
