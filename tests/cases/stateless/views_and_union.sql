CREATE TABLE web (id INT, page STRING, secs INT) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'web',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE app (id BIGINT, screen STRING) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'app',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'csv'
);
CREATE TABLE visits (id BIGINT, place STRING, origin STRING) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'visits',
  'format' = 'json'
);
CREATE VIEW long_visits AS SELECT id, page FROM web WHERE secs >= 10;
CREATE TEMPORARY VIEW places (id, place, origin) AS
  SELECT id, page, 'web' FROM long_visits
  UNION ALL
  SELECT id, screen, 'app' FROM app;
INSERT INTO visits
WITH named AS (SELECT * FROM places WHERE place <> 'home')
SELECT n.id, n.place, n.origin FROM (SELECT * FROM named) AS n;
