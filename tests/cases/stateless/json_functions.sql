CREATE TABLE raw (
  id INT,
  payload STRING,
  line STRING
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'raw',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE parsed (
  id INT,
  db STRING,
  name STRING,
  age INT,
  city STRING,
  tags STRING,
  first_tag STRING,
  `level` STRING,
  code STRING,
  again STRING
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'parsed',
  'format' = 'json'
);
INSERT INTO parsed
SELECT
  id,
  CURRENT_DATABASE(),
  JSON_VALUE(payload, '$.name'),
  JSON_VALUE(payload, 'lax $.age' RETURNING INTEGER DEFAULT -1 ON EMPTY),
  JSON_VALUE(payload, 'lax $.address.city' DEFAULT 'unknown' ON EMPTY),
  JSON_QUERY(payload, '$.tags'),
  JSON_QUERY(payload, 'lax $.tags[*]' RETURNING ARRAY<STRING>)[1],
  CASE id WHEN 1, 2 THEN SPLIT_INDEX(line, '|', 0) ELSE REGEXP_EXTRACT(line, '^(\w+)', 1) END,
  REGEXP_EXTRACT(line, 'code=(\d+)', 1),
  JSON_OBJECT('id' VALUE id, 'from' VALUE JSON(payload) ABSENT ON NULL)
FROM raw
WHERE payload IS JSON OBJECT;
