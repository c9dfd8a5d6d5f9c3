-- A key of several rows meets every row of the value; a column of both is read from the value.
CREATE TABLE pairs (id BIGINT, n INT) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'pairs',
  'scan.startup.mode' = 'earliest-offset',
  'key.format' = 'json',
  'key.fields' = '[id]',
  'value.format' = 'json',
  'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE both (id BIGINT, n INT) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'both',
  'scan.startup.mode' = 'EARLIEST-OFFSET',
  'key.format' = 'json',
  'key.fields' = 'id',
  'format' = 'json'
);
CREATE TABLE found (id BIGINT, n INT) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'found',
  'format' = 'json'
);
INSERT INTO found SELECT id, n FROM pairs UNION ALL SELECT id, n FROM both;
