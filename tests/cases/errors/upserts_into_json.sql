-- fail: SINK_CANNOT_UPDATE 12:13
-- says: update and delete changes
CREATE TABLE products (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'kafka', 'topic' = 'products', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'debezium-json',
  'debezium-json.missing-before' = 'upsert'
);
CREATE TABLE `rows` (id INT, name STRING) WITH (
  'connector' = 'kafka', 'topic' = 'r', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'json'
);
INSERT INTO `rows` SELECT id, name FROM products;
