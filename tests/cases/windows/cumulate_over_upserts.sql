-- Orders that change and go while their windows are open: each window is told once, of those that
-- are left when it is over. The same orders summed as in SQLite over the rows that are left.
CREATE TABLE orders (
  id INT, item STRING, amount INT, ts TIMESTAMP(3),
  PRIMARY KEY (id) NOT ENFORCED, WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'orders',
  'properties.bootstrap.servers' = 'localhost:9092', 'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE sums (
  w_start TIMESTAMP(3), w_end TIMESTAMP(3), item STRING, n BIGINT, total INT, dearest INT,
  amounts BIGINT
) WITH (
  'connector' = 'kafka', 'topic' = 'sums', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
INSERT INTO sums
SELECT window_start, window_end, item, COUNT(*), SUM(amount), MAX(amount), COUNT(DISTINCT amount)
FROM TABLE(CUMULATE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '30' SECOND))
GROUP BY window_start, window_end, item;
