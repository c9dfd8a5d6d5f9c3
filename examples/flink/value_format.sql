-- The format of the value: messages that are no JSON are left out.
CREATE TABLE KafkaTable (
  `ts` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp',
  `user_id` BIGINT,
  `item_id` BIGINT,
  `behavior` STRING
) WITH (
  'connector' = 'kafka',
  'topic' = 'user_behavior',
  'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset',

  'format' = 'json',
  'json.ignore-parse-errors' = 'true'
);

CREATE TABLE readable (user_id BIGINT, behavior STRING, ts TIMESTAMP_LTZ(3)) WITH (
  'connector' = 'kafka',
  'topic' = 'readable',
  'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);

INSERT INTO readable SELECT user_id, behavior, ts FROM KafkaTable;
