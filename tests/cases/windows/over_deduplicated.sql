-- The newest row of each key only, within windows that overlap.
CREATE TABLE events (
  id INT, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka', 'topic' = 'events', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE totals (w_start TIMESTAMP(3), w_end TIMESTAMP(3), n BIGINT, total INT) WITH (
  'connector' = 'kafka', 'topic' = 'totals', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE VIEW newest AS
SELECT id, v, ts FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts DESC) AS r FROM events
) WHERE r = 1;
INSERT INTO totals
SELECT HOP_START(ts, INTERVAL '10' SECOND, INTERVAL '20' SECOND),
  HOP_END(ts, INTERVAL '10' SECOND, INTERVAL '20' SECOND), COUNT(*), SUM(v)
FROM newest GROUP BY HOP(ts, INTERVAL '10' SECOND, INTERVAL '20' SECOND);
