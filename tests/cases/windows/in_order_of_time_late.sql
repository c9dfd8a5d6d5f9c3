-- ordered
-- partitions: 1
-- set: penstock.max-offsets-per-batch = 2
-- A row behind the watermark is late only if one of its time or later has come out.
CREATE TABLE steps (
  id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '10' SECOND
) WITH (
  'connector' = 'kafka', 'topic' = 'steps', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE sorted (id INT, ts TIMESTAMP(3)) WITH (
  'connector' = 'kafka', 'topic' = 'sorted', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
INSERT INTO sorted
SELECT id, ts FROM steps ORDER BY ts;
