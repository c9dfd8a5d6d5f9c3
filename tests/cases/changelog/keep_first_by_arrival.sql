-- The first click of each user as it comes: nothing is ever taken back, so any table takes it.
CREATE TABLE clicks (id INT, page STRING, seen AS PROCTIME()) WITH (
  'connector' = 'kafka', 'topic' = 'clicks', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE entries (id INT, page STRING) WITH (
  'connector' = 'kafka', 'topic' = 'entries', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'json'
);
INSERT INTO entries
SELECT id, page FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY seen) AS n FROM clicks
) WHERE n = 1;
