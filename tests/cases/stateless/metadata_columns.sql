-- partitions: 2
-- A record's place, time and headers as columns; cast to the declared types.
CREATE TABLE events (
  name STRING,
  `partition` BIGINT METADATA VIRTUAL,
  `offset` BIGINT METADATA VIRTUAL,
  seen TIMESTAMP(3) METADATA FROM 'timestamp' VIRTUAL,
  kind STRING METADATA FROM 'timestamp-type' VIRTUAL,
  headers MAP<STRING, BYTES> METADATA VIRTUAL
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'events',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE seen (
  name STRING, p BIGINT, o BIGINT, kind STRING, source STRING
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'seen',
  'format' = 'json'
);
INSERT INTO seen
SELECT name, `partition`, `offset`, kind, CAST(headers['source'] AS STRING) FROM events;
