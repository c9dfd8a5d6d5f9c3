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
  item_id BIGINT,
  category STRING,
  behavior STRING,
  ts TIMESTAMP(3)
) WITH (
  'connector' = 'kafka',
  'topic' = '${output}',
  'properties.bootstrap.servers' = '${address}',
  'format' = 'json'
);

INSERT INTO output SELECT * FROM events WHERE behavior = 'buy';
