-- folded
-- A topic of which the last message of each key counts, and one without a value deletes.
CREATE TABLE KafkaTable (
  `ts` TIMESTAMP(3) METADATA FROM 'timestamp',
  `user_id` BIGINT,
  `item_id` BIGINT,
  `behavior` STRING,
  PRIMARY KEY (`user_id`) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = 'last_behavior',
  'properties.bootstrap.servers' = 'localhost:9092',

  'key.format' = 'json',
  'key.json.ignore-parse-errors' = 'true',

  'value.format' = 'json',
  'value.json.fail-on-missing-field' = 'false',
  'value.fields-include' = 'EXCEPT_KEY'
);

CREATE TABLE behaviors (
  behavior STRING,
  users BIGINT,
  items BIGINT,
  PRIMARY KEY (behavior) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = 'behaviors',
  'properties.bootstrap.servers' = 'localhost:9092',
  'key.format' = 'json',
  'value.format' = 'json'
);

INSERT INTO behaviors
SELECT behavior, COUNT(*), COUNT(item_id) FROM KafkaTable GROUP BY behavior;
