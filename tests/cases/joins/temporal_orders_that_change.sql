-- folded
CREATE TABLE orders (
  id INT, currency STRING, price INT, ts TIMESTAMP(3),
  PRIMARY KEY (id) NOT ENFORCED, WATERMARK FOR ts AS ts - INTERVAL '1' HOUR
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'orders',
  'properties.bootstrap.servers' = 'localhost:9092', 'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE rates (
  currency STRING, rate INT, ts TIMESTAMP(3),
  PRIMARY KEY (currency) NOT ENFORCED, WATERMARK FOR ts AS ts
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'rates',
  'properties.bootstrap.servers' = 'localhost:9092', 'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE converted (
  id INT, price INT, PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'converted',
  'properties.bootstrap.servers' = 'localhost:9092', 'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO converted
SELECT o.id, o.price * r.rate
FROM orders o JOIN rates FOR SYSTEM_TIME AS OF o.ts AS r ON o.currency = r.currency;
