-- fail: INVALID_QUERY
-- says: Processing time Window TopN is not supported yet.
CREATE TABLE clicks (
  page STRING, ts TIMESTAMP(3), proctime AS PROCTIME(), WATERMARK FOR ts AS ts
) WITH (
  'connector' = 'kafka', 'topic' = 'clicks', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE sink (page STRING, n BIGINT) WITH ('connector' = 'print');
INSERT INTO sink
SELECT page, n FROM (
  SELECT page, n, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY n DESC) AS r
  FROM (
    SELECT page, window_start, window_end, COUNT(*) AS n
    FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(proctime), INTERVAL '1' MINUTE))
    GROUP BY page, window_start, window_end
  )
) WHERE r <= 3;
