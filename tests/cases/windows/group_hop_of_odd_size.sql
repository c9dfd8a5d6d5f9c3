-- The older HOP takes any slide: one that does not divide the size, or one that leaves rows out.
CREATE TABLE clicks (
  ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'kafka', 'topic' = 'clicks', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE counts (w_start TIMESTAMP(3), w_end TIMESTAMP(3), n BIGINT) WITH (
  'connector' = 'kafka', 'topic' = 'counts', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
INSERT INTO counts
SELECT HOP_START(ts, INTERVAL '4' SECOND, INTERVAL '6' SECOND), HOP_END(ts, INTERVAL '4' SECOND, INTERVAL '6' SECOND), COUNT(*)
FROM clicks GROUP BY HOP(ts, INTERVAL '4' SECOND, INTERVAL '6' SECOND)
UNION ALL
SELECT HOP_START(ts, INTERVAL '10' SECOND, INTERVAL '5' SECOND), HOP_END(ts, INTERVAL '10' SECOND, INTERVAL '5' SECOND), COUNT(*)
FROM clicks GROUP BY HOP(ts, INTERVAL '10' SECOND, INTERVAL '5' SECOND);
