-- fail: INVALID_QUERY
-- says: Processing time Window Join is not supported yet.
CREATE TABLE clicks (
  page STRING, ts TIMESTAMP(3), proctime AS PROCTIME(), WATERMARK FOR ts AS ts
) WITH (
  'connector' = 'kafka', 'topic' = 'clicks', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE sink (page STRING, n BIGINT) WITH ('connector' = 'print');
INSERT INTO sink
SELECT a.page, 1
FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(proctime), INTERVAL '1' MINUTE)) a
JOIN TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(proctime), INTERVAL '1' MINUTE)) b
ON a.page = b.page AND a.window_start = b.window_start AND a.window_end = b.window_end;
