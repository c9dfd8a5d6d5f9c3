-- ordered
-- partitions: 1
-- ORDER BY the time of a window in the query that groups by it.
CREATE TABLE steps (
  id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '10' SECOND
) WITH (
  'connector' = 'kafka', 'topic' = 'steps', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE counts (at TIMESTAMP(3), n BIGINT) WITH (
  'connector' = 'kafka', 'topic' = 'counts', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
INSERT INTO counts
SELECT window_time, COUNT(*)
FROM TABLE(TUMBLE(TABLE steps, DESCRIPTOR(ts), INTERVAL '2' SECOND))
GROUP BY window_start, window_end, window_time
ORDER BY window_time;
