-- fail: INVALID_QUERY 9:11
-- says: OverAggregate doesn't support consuming update changes which is produced by node Aggregate
CREATE TABLE orders (k STRING, amount INT, p AS PROCTIME()) WITH (
  'connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE sink (k STRING, n BIGINT) WITH ('connector' = 'print');
INSERT INTO sink
SELECT k, SUM(n) OVER (ORDER BY p)
FROM (SELECT k, COUNT(*) AS n, PROCTIME() AS p FROM orders GROUP BY k);
