CREATE TABLE visits (
  user_id BIGINT,
  category STRING,
  amount BIGINT,
  PRIMARY KEY (user_id) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = '${input}',
  'properties.bootstrap.servers' = '${address}',
  'scan.bounded.mode' = '${until}',
  'key.format' = 'json',
  'value.format' = 'json'
);

CREATE TABLE output (
  category STRING,
  users BIGINT,
  amount BIGINT,
  PRIMARY KEY (category) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = '${output}',
  'properties.bootstrap.servers' = '${address}',
  'key.format' = 'json',
  'value.format' = 'json'
);

INSERT INTO output
SELECT category, COUNT(*), SUM(amount) FROM visits GROUP BY category;
