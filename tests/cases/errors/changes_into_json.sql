-- fail: SINK_CANNOT_UPDATE 11:13
-- says: Table sink `rows` doesn't support consuming update and delete changes which is produced by node Scan products | 'debezium-json'
CREATE TABLE products (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'kafka', 'topic' = 'products', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'debezium-json'
);
CREATE TABLE `rows` (id INT, name STRING) WITH (
  'connector' = 'kafka', 'topic' = 'r', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'json'
);
INSERT INTO `rows` SELECT id, name FROM products;
