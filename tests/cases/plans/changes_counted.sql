CREATE TABLE products (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'kafka', 'topic' = 'products', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'debezium-json'
);
CREATE TABLE shown (name STRING, n BIGINT) WITH ('connector' = 'print');
INSERT INTO shown SELECT name, COUNT(*) FROM products GROUP BY name;
