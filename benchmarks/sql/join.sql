CREATE TABLE people (
  id BIGINT,
  name STRING,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = '${input}',
  'properties.bootstrap.servers' = '${address}',
  'scan.bounded.mode' = '${until}',
  'key.format' = 'json',
  'value.format' = 'json'
);

CREATE TABLE accounts (
  id BIGINT,
  amount BIGINT,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = '${input}_accounts',
  'properties.bootstrap.servers' = '${address}',
  'scan.bounded.mode' = '${until}',
  'key.format' = 'json',
  'value.format' = 'json'
);

CREATE TABLE output (
  id BIGINT,
  name STRING,
  amount BIGINT,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = '${output}',
  'properties.bootstrap.servers' = '${address}',
  'key.format' = 'json',
  'value.format' = 'json'
);

INSERT INTO output
SELECT people.id, name, amount FROM people JOIN accounts ON people.id = accounts.id;
