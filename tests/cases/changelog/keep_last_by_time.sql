-- folded
-- The newest reading of each sensor by its time: of two at one time the later one.
CREATE TABLE readings (
  sensor STRING, ts TIMESTAMP(3), v STRING, WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'kafka', 'topic' = 'readings', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE kept (sensor STRING, ts TIMESTAMP(3), v STRING, PRIMARY KEY (sensor) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'kept', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO kept
SELECT sensor, ts, v FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY sensor ORDER BY ts DESC) AS n FROM readings
) WHERE n = 1;
