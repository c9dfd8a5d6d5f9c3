CREATE TABLE lines (
  host STRING,
  line STRING
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'lines',
  'scan.startup.mode' = 'earliest-offset',
  'key.format' = 'raw',
  'key.fields' = 'host',
  'value.format' = 'raw',
  'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE shouted (
  host STRING,
  line STRING
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'shouted',
  'key.format' = 'json',
  'key.fields' = 'host',
  'value.format' = 'raw',
  'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE lengths (
  host STRING,
  letters INT
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'lengths',
  'format' = 'json'
);
INSERT INTO shouted SELECT host, UPPER(line) FROM lines WHERE line IS NOT NULL;
INSERT INTO lengths SELECT host, CHAR_LENGTH(line) FROM lines;
