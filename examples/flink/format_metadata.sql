-- folded
-- Changes of a database, and what Debezium tells of each: the time and the table it comes from.
CREATE TABLE KafkaTable (
  `event_time` TIMESTAMP_LTZ(3) METADATA FROM 'value.source.timestamp' VIRTUAL,  -- from Debezium format
  `origin_table` STRING METADATA FROM 'value.source.table' VIRTUAL, -- from Debezium format
  `partition_id` BIGINT METADATA FROM 'partition' VIRTUAL,  -- from Kafka connector
  `offset` BIGINT METADATA VIRTUAL,  -- from Kafka connector
  `user_id` BIGINT,
  `item_id` BIGINT,
  `behavior` STRING
) WITH (
  'connector' = 'kafka',
  'topic' = 'user_behavior',
  'properties.bootstrap.servers' = 'localhost:9092',
  'properties.group.id' = 'testGroup',
  'scan.startup.mode' = 'earliest-offset',
  'value.format' = 'debezium-json'
);

CREATE TABLE behaviors (
  origin_table STRING, behavior STRING, users BIGINT,
  PRIMARY KEY (origin_table, behavior) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = 'behaviors',
  'properties.bootstrap.servers' = 'localhost:9092',
  'key.format' = 'json',
  'value.format' = 'json'
);

INSERT INTO behaviors
SELECT origin_table, behavior, COUNT(*) FROM KafkaTable GROUP BY origin_table, behavior;
