-- ordered
CREATE TABLE products (
  id INT,
  name STRING,
  description STRING,
  weight FLOAT,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'products',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'canal-json',
  'canal-json.database.include' = 'inv.*',
  'canal-json.table.include' = 'products.*'
);
CREATE TABLE copy (
  id INT,
  name STRING,
  description STRING,
  weight FLOAT
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'copy',
  'format' = 'canal-json'
);
INSERT INTO copy SELECT id, name, description, weight FROM products;
