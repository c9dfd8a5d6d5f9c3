-- What sells, per category, in windows of 5 seconds: from Kafka to Kafka.
SET 'pipeline.name' = 'demo';

CREATE TABLE user_behavior (
  user_id  BIGINT,
  item_id  BIGINT,
  category STRING,
  behavior STRING,
  price    DECIMAL(10, 2),
  ts       TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '2' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'demo_user_behavior',
  'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);

CREATE TABLE sales (
  window_start TIMESTAMP(3),
  category     STRING,
  purchases    BIGINT,
  revenue      DECIMAL(38, 2)
) WITH (
  'connector' = 'kafka',
  'topic' = 'demo_sales',
  'properties.bootstrap.servers' = 'localhost:9092',
  'key.format' = 'json',
  'key.fields' = 'category',
  'value.format' = 'json'
);

INSERT INTO sales
SELECT window_start, category, COUNT(*), SUM(price)
FROM TABLE(TUMBLE(TABLE user_behavior, DESCRIPTOR(ts), INTERVAL '5' SECOND))
WHERE behavior = 'buy'
GROUP BY window_start, window_end, category;
