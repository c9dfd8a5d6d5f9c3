-- Key and value both have a `version`: a prefix tells those of the key.
CREATE TABLE KafkaTable (
  `k_version` INT,
  `k_user_id` BIGINT,
  `k_item_id` BIGINT,
  `version` INT,
  `behavior` STRING
) WITH (
  'connector' = 'kafka',
  'topic' = 'user_behavior',
  'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset',

  'key.format' = 'json',
  'key.fields-prefix' = 'k_',
  'key.fields' = 'k_version;k_user_id;k_item_id',

  'value.format' = 'json',
  'value.fields-include' = 'EXCEPT_KEY'
);

CREATE TABLE migrated WITH ('topic' = 'migrated') LIKE KafkaTable;

INSERT INTO migrated
SELECT k_version + 1, k_user_id, k_item_id, version, UPPER(behavior) FROM KafkaTable;
