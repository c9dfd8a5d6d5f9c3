CREATE TABLE products (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'kafka', 'topic' = 'products', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'debezium-json'
);
CREATE TABLE shown (id INT, name STRING) WITH ('connector' = 'print');
INSERT INTO shown SELECT id, UPPER(name) FROM products WHERE id > 3
UNION ALL SELECT * FROM (VALUES (1, 'a'));
