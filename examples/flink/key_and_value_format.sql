-- A format for the key and one for the value. The columns of the key stand in the value, too.
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

  'key.format' = 'json',
  'key.json.ignore-parse-errors' = 'true',
  'key.fields' = 'user_id;item_id',

  'value.format' = 'json',
  'value.json.fail-on-missing-field' = 'false',
  'value.fields-include' = 'ALL'
);

CREATE TABLE purchases WITH ('topic' = 'purchases') LIKE KafkaTable;

INSERT INTO purchases
SELECT ts, user_id, item_id, behavior FROM KafkaTable WHERE behavior = 'buy';
