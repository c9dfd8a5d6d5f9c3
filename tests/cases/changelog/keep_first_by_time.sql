-- folded
-- The oldest reading of each sensor by its time, also if it comes later than others: told once, when
-- the watermark has passed it, so that a table which takes inserts only has it, too.
CREATE TABLE readings (
  sensor STRING, ts TIMESTAMP(3), v STRING, WATERMARK FOR ts AS ts - INTERVAL '10' SECOND
) WITH (
  'connector' = 'kafka', 'topic' = 'readings', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE kept (sensor STRING, ts TIMESTAMP(3), v STRING, PRIMARY KEY (sensor) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'kept', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE logged (sensor STRING, v STRING) WITH (
  'connector' = 'kafka', 'topic' = 'logged', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'json', 'key.format' = 'json', 'key.fields' = 'sensor'
);
CREATE VIEW firsts AS
SELECT sensor, ts, v FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY sensor ORDER BY ts) AS n FROM readings
) WHERE n = 1;
INSERT INTO kept SELECT sensor, ts, v FROM firsts;
INSERT INTO logged SELECT sensor, v FROM firsts;
