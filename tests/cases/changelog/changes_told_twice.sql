-- folded
-- A database's changes that the topic has more than once count once, by the key of the table.
SET 'table.exec.source.cdc-events-duplicate' = 'true';
CREATE TABLE products (id INT, kind STRING, price INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'kafka', 'topic' = 'products', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'debezium-json'
);
CREATE TABLE kinds (kind STRING, n BIGINT, total INT, PRIMARY KEY (kind) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'kinds', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO kinds SELECT kind, COUNT(*), SUM(price) FROM products GROUP BY kind;
