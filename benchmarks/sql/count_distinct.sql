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
  category STRING,
  items BIGINT,
  PRIMARY KEY (category) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = '${output}',
  'properties.bootstrap.servers' = '${address}',
  'key.format' = 'json',
  'value.format' = 'json'
);

INSERT INTO output
SELECT category, COUNT(DISTINCT item_id % 50000) FROM events GROUP BY category;
