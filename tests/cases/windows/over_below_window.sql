-- partitions: 1
-- The rows that OVER gives keep their event time: windows, joins and OVER above go by it.
CREATE TABLE orders (
  k STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE repeated (w_end TIMESTAMP(3), k STRING, n BIGINT, total INT) WITH (
  'connector' = 'kafka', 'topic' = 'repeated', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE TABLE steps (k STRING, amount INT, step INT, steepest INT) WITH (
  'connector' = 'kafka', 'topic' = 'steps', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE TABLE followed (k STRING, nr BIGINT, next INT) WITH (
  'connector' = 'kafka', 'topic' = 'followed', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE VIEW counted AS
SELECT k, amount, ts, COUNT(*) OVER (PARTITION BY k ORDER BY ts ROWS UNBOUNDED PRECEDING) AS nr
FROM orders;
INSERT INTO repeated
SELECT window_end, k, COUNT(*), SUM(amount)
FROM TABLE(TUMBLE(TABLE counted, DESCRIPTOR(ts), INTERVAL '10' SECOND))
WHERE nr > 1 GROUP BY window_start, window_end, k;
INSERT INTO steps
SELECT k, amount, step, MAX(step) OVER (ORDER BY ts)
FROM (SELECT k, amount, ts, amount - LAG(amount) OVER (PARTITION BY k ORDER BY ts) AS step FROM orders);
INSERT INTO followed
SELECT a.k, a.nr, b.amount
FROM counted a LEFT JOIN orders b
  ON a.k = b.k AND b.ts BETWEEN a.ts + INTERVAL '1' SECOND AND a.ts + INTERVAL '5' SECOND;
