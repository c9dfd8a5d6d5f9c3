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
CREATE TABLE ab (
  what STRING, id INT, x STRING, y STRING
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'ab',
  'format' = 'json'
);
INSERT INTO ab
SELECT 'none', a.id, x, y FROM a JOIN b ON a.id = b.id AND a.id <> b.id
UNION ALL
SELECT 'some', a.id, x, y FROM a JOIN b ON a.id = b.id AND x <> y AND x > 'p';
