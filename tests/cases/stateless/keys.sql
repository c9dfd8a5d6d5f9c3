-- ordered
CREATE TABLE versions (
  k_version INT,
  k_user_id BIGINT,
  version INT,
  behavior STRING
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'versions',
  'scan.startup.mode' = 'earliest-offset',
  'key.format' = 'json',
  'key.fields-prefix' = 'k_',
  'key.fields' = 'k_version;k_user_id',
  'value.format' = 'json',
  'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE by_user (
  user_id BIGINT,
  behavior STRING,
  difference INT
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'by_user',
  'key.format' = 'json',
  'key.fields' = 'user_id',
  'value.format' = 'json'
);
INSERT INTO by_user SELECT k_user_id, behavior, version - k_version FROM versions;
