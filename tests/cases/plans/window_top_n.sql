CREATE TABLE orders (
  id INT, k STRING, amount INT, ts TIMESTAMP(3), at AS PROCTIME(),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH (
  'connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE rates (
  k STRING, rate INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts
) WITH (
  'connector' = 'kafka', 'topic' = 'rates', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE sink (
  k STRING, n BIGINT, w_end TIMESTAMP(3)
) WITH ('connector' = 'print');
INSERT INTO sink
SELECT k, n, window_end FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY n DESC) AS place
  FROM (
    SELECT window_start, window_end, k, COUNT(*) AS n
    FROM TABLE(TUMBLE(DATA => TABLE orders, TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL '1' MINUTE))
    GROUP BY window_start, window_end, k
  )
) WHERE place <= 2;
