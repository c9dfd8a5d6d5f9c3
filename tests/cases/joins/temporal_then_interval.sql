-- An interval join above a temporal join goes by the time of its left rows, outer ones too.
CREATE TABLE orders (
  id INT, currency STRING, order_time TIMESTAMP(3),
  WATERMARK FOR order_time AS order_time - INTERVAL '15' SECOND
) WITH (
  'connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE rates (
  currency STRING, rate INT, update_time TIMESTAMP(3),
  PRIMARY KEY (currency) NOT ENFORCED, WATERMARK FOR update_time AS update_time
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'rates', 'properties.bootstrap.servers' = 'localhost:9092',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE ships (
  order_id INT, city STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts
) WITH (
  'connector' = 'kafka', 'topic' = 'ships', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE VIEW converted AS
SELECT o.id, o.order_time, r.rate
FROM orders AS o JOIN rates FOR SYSTEM_TIME AS OF o.order_time AS r ON o.currency = r.currency;
CREATE TABLE shipped (id INT, rate INT, city STRING) WITH (
  'connector' = 'kafka', 'topic' = 'shipped', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE TABLE all_orders (id INT, rate INT, city STRING) WITH (
  'connector' = 'kafka', 'topic' = 'all_orders', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
INSERT INTO shipped
SELECT c.id, c.rate, s.city
FROM converted c JOIN ships s
  ON c.id = s.order_id AND s.ts BETWEEN c.order_time AND c.order_time + INTERVAL '1' HOUR;
INSERT INTO all_orders
SELECT c.id, c.rate, s.city
FROM converted c LEFT JOIN ships s
  ON c.id = s.order_id AND s.ts BETWEEN c.order_time AND c.order_time + INTERVAL '1' HOUR;
CREATE TABLE in_the_end (id INT, rate INT, city STRING) WITH (
  'connector' = 'kafka', 'topic' = 'in_the_end', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
INSERT INTO in_the_end
SELECT o.id, r.rate, s.city
FROM orders /*+ OPTIONS('scan.bounded.mode' = 'latest-offset') */ AS o
JOIN rates /*+ OPTIONS('scan.bounded.mode' = 'latest-offset') */
  FOR SYSTEM_TIME AS OF o.order_time AS r ON o.currency = r.currency
LEFT JOIN ships /*+ OPTIONS('scan.bounded.mode' = 'latest-offset') */ AS s
  ON o.id = s.order_id AND s.ts BETWEEN o.order_time AND o.order_time + INTERVAL '1' HOUR;
