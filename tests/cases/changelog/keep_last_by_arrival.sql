-- folded
-- The last click of each user.
CREATE TABLE clicks (id INT, page STRING, seen AS PROCTIME()) WITH (
  'connector' = 'kafka', 'topic' = 'clicks', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE newest (id INT, page STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'newest', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO newest
SELECT id, page FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY seen DESC) AS n FROM clicks
) WHERE n = 1;
