SET 'table.local-time-zone' = 'Europe/Berlin';
CREATE TABLE visits (
  id INT, at STRING, pattern STRING, zone STRING, seconds BIGINT
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'visits',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE report (
  id INT,
  in_utc STRING,
  shown STRING,
  unix BIGINT,
  in_berlin STRING,
  instant TIMESTAMP_LTZ(3)
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'report',
  'format' = 'json'
);
INSERT INTO report
SELECT
  id,
  CONVERT_TZ(at, zone, 'UTC'),
  DATE_FORMAT(TO_TIMESTAMP(at), pattern),
  UNIX_TIMESTAMP(at),
  FROM_UNIXTIME(seconds, 'yyyy-MM-dd HH:mm z'),
  TO_TIMESTAMP_LTZ(at, 'yyyy-MM-dd HH:mm:ss', zone)
FROM visits;
