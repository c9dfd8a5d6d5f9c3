CREATE TABLE events (
  user_id BIGINT,
  item_id BIGINT,
  category STRING,
  behavior STRING,
  ts TIMESTAMP(3)
) WITH (
  'connector' = 'kafka',
  'topic' = '${input}',
  'properties.bootstrap.servers' = '${address}',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = '${until}',
  'format' = 'json'${options}
);

CREATE TABLE output (
  user_id BIGINT,
  visits BIGINT,
  PRIMARY KEY (user_id) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = '${output}',
  'properties.bootstrap.servers' = '${address}',
  'key.format' = 'json',
  'value.format' = 'json'
);

INSERT INTO output SELECT user_id, COUNT(*) FROM events GROUP BY user_id;
