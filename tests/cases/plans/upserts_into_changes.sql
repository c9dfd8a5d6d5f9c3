CREATE TABLE products (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'kafka', 'topic' = 'products', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'debezium-json',
  'debezium-json.missing-before' = 'upsert'
);
CREATE TABLE copy (id INT, name STRING) WITH (
  'connector' = 'kafka', 'topic' = 'copy', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'maxwell-json'
);
INSERT INTO copy SELECT id, name FROM products;
