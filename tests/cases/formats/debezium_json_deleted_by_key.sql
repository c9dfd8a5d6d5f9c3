-- ordered
-- Messages of a database that logs the key of a deleted row only.
CREATE TABLE products (
  id INT,
  name STRING,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'products',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'debezium-json'
);
CREATE TABLE copy (
  id INT,
  name STRING NOT NULL,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'copy',
  'format' = 'debezium-json'
);
INSERT INTO copy SELECT id, name FROM products;
