-- fail: INVALID_QUERY 9:13
-- says: 'products' doesn't have a primary key
SET 'table.exec.source.cdc-events-duplicate' = 'true';
CREATE TABLE products (id INT, kind STRING) WITH (
  'connector' = 'kafka', 'topic' = 'products', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'debezium-json'
);
CREATE TABLE shown (kind STRING, n BIGINT) WITH ('connector' = 'print');
INSERT INTO shown SELECT kind, COUNT(*) FROM products GROUP BY kind;
