-- Rows meet by the key of the versions alone: another column that must be equal may change with them.
CREATE TABLE orders (
  id INT, currency STRING, region STRING, at TIMESTAMP(3), WATERMARK FOR at AS at
) WITH (
  'connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE rates (
  currency STRING, region STRING, rate INT, since TIMESTAMP(3) METADATA FROM 'timestamp',
  PRIMARY KEY (currency) NOT ENFORCED, WATERMARK FOR since AS since
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'rates',
  'properties.bootstrap.servers' = 'localhost:9092', 'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE converted (id INT, rate INT) WITH (
  'connector' = 'kafka', 'topic' = 'converted', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
INSERT INTO converted
SELECT o.id, r.rate FROM orders o LEFT JOIN rates FOR SYSTEM_TIME AS OF o.at AS r
  ON o.currency = r.currency AND o.region = r.region;
