-- fail: UNSUPPORTED_QUERY
-- says: A window on processing time beside a step that goes by event time
CREATE TABLE clicks (
  page STRING, ts TIMESTAMP(3), proctime AS PROCTIME(), WATERMARK FOR ts AS ts
) WITH (
  'connector' = 'kafka', 'topic' = 'clicks', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE sink (page STRING, n BIGINT) WITH ('connector' = 'print');
INSERT INTO sink
SELECT page, COUNT(*)
FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY page, window_start, window_end
UNION ALL
SELECT page, COUNT(*)
FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(proctime), INTERVAL '1' MINUTE))
GROUP BY page, window_start, window_end;
