CREATE TABLE a (
  id INT, x STRING
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'a',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE b (
  id INT, y STRING
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'b',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE c (
  y STRING, z INT
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'c',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE abc (
  id INT, x STRING, y STRING, z INT
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'abc',
  'format' = 'json'
);
INSERT INTO abc
SELECT a.id, x, b.y, z FROM a JOIN b ON a.id = b.id JOIN c USING (y);
