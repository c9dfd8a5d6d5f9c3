-- The versioned view of Flink's manual, and windows over what is joined with it.
CREATE TABLE orders (
  id INT, price INT, currency STRING, order_time TIMESTAMP(3),
  WATERMARK FOR order_time AS order_time - INTERVAL '15' SECOND
) WITH (
  'connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE currency_rates (
  currency STRING, rate INT, update_time TIMESTAMP(3), WATERMARK FOR update_time AS update_time
) WITH (
  'connector' = 'kafka', 'topic' = 'rates', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE VIEW versioned_rates AS
SELECT currency, rate, update_time
FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY currency ORDER BY update_time DESC) AS rownum
  FROM currency_rates
)
WHERE rownum = 1;
CREATE VIEW converted AS
SELECT o.id, o.order_time, o.price, r.rate, r.update_time
FROM orders AS o
LEFT JOIN versioned_rates FOR SYSTEM_TIME AS OF o.order_time AS r ON o.currency = r.currency;
CREATE TABLE result (id INT, rate INT, since TIMESTAMP(3)) WITH (
  'connector' = 'kafka', 'topic' = 'result', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE TABLE per_hour (hour_end TIMESTAMP(3), total INT, orders BIGINT) WITH (
  'connector' = 'kafka', 'topic' = 'per_hour', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
INSERT INTO result SELECT id, rate, update_time FROM converted;
INSERT INTO per_hour
SELECT window_end, SUM(price * rate), COUNT(*)
FROM TABLE(TUMBLE(TABLE converted, DESCRIPTOR(order_time), INTERVAL '1' HOUR))
GROUP BY window_start, window_end;
