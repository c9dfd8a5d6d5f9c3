-- fail: UNSUPPORTED_QUERY
-- says: A window on processing time over another one
CREATE TABLE clicks (
  page STRING, ts TIMESTAMP(3), proctime AS PROCTIME(), WATERMARK FOR ts AS ts
) WITH (
  'connector' = 'kafka', 'topic' = 'clicks', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE sink (page STRING, n BIGINT) WITH ('connector' = 'print');
INSERT INTO sink
SELECT page, SUM(n)
FROM (
  SELECT page, TUMBLE_PROCTIME(proctime, INTERVAL '1' MINUTE) AS at, COUNT(*) AS n
  FROM clicks GROUP BY page, TUMBLE(proctime, INTERVAL '1' MINUTE)
) GROUP BY page, TUMBLE(at, INTERVAL '1' HOUR);
