CREATE TABLE products (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'kafka', 'topic' = 'products', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'debezium-json',
  'debezium-json.missing-before' = 'upsert'
);
CREATE TABLE shown (id INT, name STRING) WITH ('connector' = 'print');
INSERT INTO shown SELECT id, UPPER(name) FROM products;
