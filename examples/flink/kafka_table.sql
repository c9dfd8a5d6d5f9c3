-- A topic as a table, with the time of its messages as a column.
CREATE TABLE KafkaTable (
  `user_id` BIGINT,
  `item_id` BIGINT,
  `behavior` STRING,
  `ts` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp'
) WITH (
  'connector' = 'kafka',
  'topic' = 'user_behavior',
  'properties.bootstrap.servers' = 'localhost:9092',
  'properties.group.id' = 'testGroup',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'csv'
);

CREATE TABLE purchases (user_id BIGINT, item_id BIGINT, bought_at TIMESTAMP_LTZ(3)) WITH (
  'connector' = 'kafka',
  'topic' = 'purchases',
  'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);

INSERT INTO purchases
SELECT user_id, item_id, ts FROM KafkaTable WHERE behavior = 'buy';
