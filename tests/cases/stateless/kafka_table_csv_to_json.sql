-- partitions: 2
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

CREATE TABLE Purchases (
  user_id BIGINT,
  item_id BIGINT,
  bought_at TIMESTAMP_LTZ(3)
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'purchases',
  'format' = 'json'
);

INSERT INTO Purchases
SELECT user_id, item_id, ts FROM KafkaTable WHERE behavior = 'buy';
