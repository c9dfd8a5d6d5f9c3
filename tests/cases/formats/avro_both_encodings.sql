CREATE TABLE readings (
  sensor STRING NOT NULL,
  at_time TIMESTAMP(3),
  degrees DECIMAL(5, 2),
  tags ARRAY<STRING>,
  place ROW<room STRING, floor INT NOT NULL>
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'readings',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'avro'
);
CREATE TABLE warm (
  sensor STRING NOT NULL,
  at_time TIMESTAMP_LTZ(6),
  floor INT,
  tags ARRAY<STRING>
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'warm',
  'format' = 'avro',
  'avro.encoding' = 'json',
  'avro.timestamp_mapping.legacy' = 'false'
);
CREATE TABLE plain (
  sensor STRING,
  at_time TIMESTAMP(3),
  degrees DECIMAL(5, 2),
  room STRING
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'plain',
  'format' = 'json'
);
INSERT INTO warm
SELECT sensor, TO_TIMESTAMP_LTZ(1234000, 3), readings.place.floor, tags
FROM readings WHERE degrees > 20;
INSERT INTO plain SELECT sensor, at_time, degrees, readings.place.room FROM readings;
