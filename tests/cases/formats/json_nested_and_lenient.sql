CREATE TABLE raw (
  id BIGINT,
  who ROW<name STRING, tags ARRAY<STRING>>,
  counts MAP<STRING, INT>,
  price DECIMAL(10, 2),
  at_local TIMESTAMP(3),
  at_instant TIMESTAMP_LTZ(3),
  ok BOOLEAN
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'raw',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json',
  'json.ignore-parse-errors' = 'true',
  'json.timestamp-format.standard' = 'ISO-8601'
);
CREATE TABLE flat (
  id BIGINT, name STRING, first_tag STRING, n INT, price DECIMAL(10, 2),
  at_local TIMESTAMP(3), at_instant TIMESTAMP_LTZ(3), ok BOOLEAN
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'flat',
  'format' = 'json'
);
INSERT INTO flat
SELECT id, who.name, who.tags[1], counts['a'], price, at_local, at_instant, ok FROM raw;
