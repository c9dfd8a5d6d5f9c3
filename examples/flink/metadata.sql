-- Metadata of messages as columns: those that cannot be written are VIRTUAL.
CREATE TABLE KafkaTable (
  `event_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp',
  `partition` BIGINT METADATA VIRTUAL,
  `offset` BIGINT METADATA VIRTUAL,
  `user_id` BIGINT,
  `item_id` BIGINT,
  `behavior` STRING
) WITH (
  'connector' = 'kafka',
  'topic' = 'user_behavior',
  'properties.bootstrap.servers' = 'localhost:9092',
  'properties.group.id' = 'testGroup',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'csv'
);

CREATE TABLE places (user_id BIGINT, behavior STRING, seen_at TIMESTAMP_LTZ(3), place STRING) WITH (
  'connector' = 'kafka',
  'topic' = 'places',
  'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);

INSERT INTO places
SELECT user_id, behavior, event_time, CAST(`partition` AS STRING) || ':' || CAST(`offset` AS STRING)
FROM KafkaTable;
